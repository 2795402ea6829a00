import { type Problem, type ServerView, safeLine } from "../../../index.ts";
import { renderPlace, type Standpoint, shortenPaths } from "./place.ts";
import { stateMark, statePaint, stateWords } from "./state.ts";
import type { Style } from "./style.ts";
import { type Cell, renderTable } from "./table.ts";

export interface ListView {
  readonly servers: readonly ServerView[];
  readonly problems: readonly Problem[];
  /** How many entries are not shown because another has their name. */
  readonly hidden: number;
}

/** The whole answer of `plugboard list`. */
export function renderServerList(view: ListView, style: Style, standpoint: Standpoint): string {
  const { servers, problems, hidden } = view;
  const heading: Cell[] = ["NAME", "TRANSPORT", "STATE", "TIER", "SOURCE"].map((text, index) => ({
    text: index === 0 ? `  ${text}` : text,
    paint: style.dim,
  }));
  const lines = renderTable([heading, ...servers.map((server) => row(server, style, standpoint))]);
  const body = servers.flatMap((server, index) => [
    lines[index + 1] ?? "",
    ...notes(server, style, standpoint),
  ]);
  return [
    ...(servers.length > 0 ? [lines[0], ...body] : []),
    ...renderProblems(problems, style, standpoint),
    "",
    summary(servers, hidden, style),
    "",
  ].join("\n");
}

function row(server: ServerView, style: Style, standpoint: Standpoint): Cell[] {
  const shadowed = server.shadowedBy !== undefined;
  const mark = shadowed ? style.dim("↳") : stateMark(server.state, style);
  const name = safeLine(server.name);
  return [
    { text: `  ${name}`, paint: () => `${mark} ${shadowed ? style.dim(name) : style.bold(name)}` },
    { text: server.transport ?? "-" },
    shadowed
      ? { text: "shadowed", paint: style.dim }
      : { text: stateWords(server.state), paint: statePaint(server.state, style) },
    { text: server.tier },
    { text: renderPlace(server.source, standpoint), paint: style.dim },
  ];
}

/** What a person should know about one server, below its line. */
function notes(server: ServerView, style: Style, standpoint: Standpoint): string[] {
  const indent = "    ";
  const problems = server.problems.map(({ severity, message }) => {
    const paint = severity === "error" ? style.bad : style.warn;
    return `${indent}${paint(shortenPaths(message, standpoint))}`;
  });
  if (server.shadowedBy !== undefined) {
    problems.unshift(`${indent}${style.dim(`hidden by ${renderPlace(server.shadowedBy, standpoint)}`)}`);
  }
  return problems;
}

/** Problems that belong to a file rather than a server. */
export function renderProblems(problems: readonly Problem[], style: Style, standpoint: Standpoint): string[] {
  return problems.map(({ severity, message }) => {
    const paint = severity === "error" ? style.bad : style.warn;
    return `${paint(severity === "error" ? "✗" : "!")} ${shortenPaths(message, standpoint)}`;
  });
}

function summary(servers: readonly ServerView[], hidden: number, style: Style): string {
  const own = servers.filter(({ shadowedBy }) => shadowedBy === undefined);
  const waiting = own.filter(({ state }) => state === "untrusted").map(({ name }) => safeLine(name));
  const shadowed = hidden === 0 ? "" : `, ${hidden} shadowed (--all shows ${hidden === 1 ? "it" : "them"})`;
  const lines = [style.dim(`${count(own.length, "server")}${shadowed}.`)];
  if (waiting.length > 0) {
    const which = waiting.length === 1 ? waiting[0] : "<server>";
    lines.push(
      `${count(waiting.length, "server")} from this project ${waiting.length === 1 ? "needs" : "need"} your approval: plugboard trust ${which}`,
    );
  }
  return lines.join("\n");
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
