import type { Problem, ServerView } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { shellWord } from "../shell-word.ts";
import { type DisplayContext, renderPlace, shortenPaths } from "./place.ts";
import { STATE_TRAITS, stateLabel, stateMark, statePaint } from "./state.ts";
import type { Style } from "./style.ts";
import { type Cell, renderTable } from "./table.ts";

export interface ListView {
  readonly servers: readonly ServerView[];
  readonly problems: readonly Problem[];
  /** The number of entries that are not shown because another entry shadows them. */
  readonly hidden: number;
  /** The profile that is in use. */
  readonly profile?: string | undefined;
}

/** Renders the output of `plugboard list`: servers grouped by config file. */
export function renderServerList(view: ListView, style: Style, display: DisplayContext): string {
  const { servers, problems } = view;
  const lines = renderTable(servers.map((server) => row(server, style)));
  const groups = new Map<string, string[]>();
  for (const [index, server] of servers.entries()) {
    const heading = describeSource(server.source, style, display);
    const group = groups.get(heading) ?? [];
    groups.set(heading, [...group, lines[index] ?? "", ...notes(server, style, display)]);
  }
  const listing = [...groups].flatMap(([heading, body]) => [heading, ...body, ""]);
  return [
    ...listing,
    ...renderProblems(problems, style, display),
    ...(problems.length > 0 ? [""] : []),
    summary(view, style, display),
    "",
  ].join("\n");
}

function describeSource(
  { file, tool, tier }: ServerView["source"],
  style: Style,
  display: DisplayContext,
): string {
  const place = style.bold(renderPlace({ file, tool }, display));
  return tool === "program" ? place : `${place}  ${style.dim(`${tool} · ${tier}`)}`;
}

function row(server: ServerView, style: Style): Cell[] {
  const shadowed = server.shadowedBy !== undefined;
  const mark = shadowed ? style.dim("↳") : stateMark(server.state, style);
  const name = safeLine(server.name);
  const { line } = server.source;
  return [
    { text: `  ? ${name}`, paint: () => `  ${mark} ${shadowed ? style.dim(name) : style.name(name)}` },
    { text: server.transport ?? "-" },
    shadowed
      ? { text: "shadowed", paint: style.dim }
      : { text: stateLabel(server.state), paint: statePaint(server.state, style) },
    { text: line === undefined ? "" : `line ${line}`, paint: style.dim },
  ];
}

/** Renders the notes below one server's row. */
function notes(server: ServerView, style: Style, display: DisplayContext): string[] {
  const indent = "      ";
  const problems = server.problems.map(({ severity, message }) => {
    const paint = severity === "error" ? style.bad : style.warn;
    return `${indent}${paint(shortenPaths(message, display))}`;
  });
  if (server.shadowedBy !== undefined) {
    problems.unshift(`${indent}${style.dim(`shadowed by ${renderPlace(server.shadowedBy, display)}`)}`);
  }
  if (server.sameAs !== undefined) {
    const others = server.sameAs.map((name) => `"${safeLine(name)}"`).join(", ");
    problems.push(`${indent}${style.dim(`the same connection as ${others}`)}`);
  }
  if (server.installing !== undefined) problems.push(`${indent}${style.dim(safeLine(server.because ?? ""))}`);
  // The problems of an invalid entry already contain the reason.
  if (STATE_TRAITS[server.state].isTrouble && server.problems.length === 0) {
    const reason = (server.because ?? "").split("\n");
    problems.push(...reason.map((line) => `${indent}${style.bad(shortenPaths(line, display))}`));
  }
  return problems;
}

/** Renders problems that belong to a file, not to a server. */
export function renderProblems(
  problems: readonly Problem[],
  style: Style,
  display: DisplayContext,
): string[] {
  return problems.map(({ severity, message }) => {
    const paint = severity === "error" ? style.bad : style.warn;
    return `${paint(severity === "error" ? "✗" : "!")} ${shortenPaths(message, display)}`;
  });
}

function summary({ servers, hidden, profile }: ListView, style: Style, { program }: DisplayContext): string {
  const own = servers.filter(({ shadowedBy }) => shadowedBy === undefined);
  const waiting = own.filter(({ state }) => state === "untrusted").map(({ name }) => shellWord(name));
  const shadowed = hidden === 0 ? "" : `, ${hidden} shadowed (--all shows ${hidden === 1 ? "it" : "them"})`;
  const lines = [style.dim(`${count(own.length, "server")}${shadowed}.`)];
  if (waiting.length > 0) {
    const which = waiting.length === 1 ? waiting[0] : "<server>";
    lines.push(
      `${count(waiting.length, "server")} from this project ${waiting.length === 1 ? "needs" : "need"} your approval: ${program} trust ${which}`,
    );
  }
  const off = own.filter(({ because = "" }) => because.startsWith('the profile "')).length;
  if (profile !== undefined && off > 0)
    lines.push(
      `The profile "${safeLine(profile)}" is in use, and ${count(off, "server")} ${off === 1 ? "is" : "are"} off. To stop using it: ${program} use --none`,
    );
  return lines.join("\n");
}

export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}
