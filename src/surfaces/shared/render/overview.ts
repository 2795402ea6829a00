import type { AgentTool, Problem, ServerView } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { type DisplayContext, renderPlace, shortenPaths } from "./place.ts";
import { count, renderProblems } from "./server-list.ts";
import { adviceFor, stateLabel, stateMark, statePaint } from "./state.ts";
import type { Style } from "./style.ts";
import { renderTools } from "./tool-list.ts";

export interface OverviewServer {
  readonly view: ServerView;
  readonly tools: readonly AgentTool[];
  /** The command that resolves the server's problem. */
  readonly next?: string;
}

export interface OverviewView {
  readonly servers: readonly OverviewServer[];
  readonly problems: readonly Problem[];
}

/** Renders every server with its source, state and tools. */
export function renderOverview(
  { servers, problems }: OverviewView,
  style: Style,
  display: DisplayContext,
  columns: number,
): string {
  const blocks = servers.map((server) => renderServer(server, style, display, columns).join("\n"));
  const connected = servers.filter(({ view }) => view.state === "connected");
  const tools = connected.reduce((sum, server) => sum + server.tools.length, 0);
  const total = `${connected.length} of ${count(servers.length, "server")} connected, ${count(tools, "tool")}.`;
  return [...blocks, ...renderProblems(problems, style, display), style.dim(total), ""]
    .join("\n\n")
    .replace(/\n\n$/, "\n");
}

function renderServer(
  { view, tools, next }: OverviewServer,
  style: Style,
  display: DisplayContext,
  columns: number,
): string[] {
  const { name, state, source, because } = view;
  const facts = [view.transport ?? "-", renderPlace(source, display)].join(" · ");
  const head = `${stateMark(state, style)} ${style.bold(safeLine(name))}  ${statePaint(state, style)(stateLabel(state))}  ${style.dim(facts)}`;
  const reason = because === undefined ? [] : indent(shortenBlock(because, display), style.warn);
  const advice = adviceFor(view);
  const hint = advice === "" ? [] : indent(shortenBlock(advice, display), style.dim);
  const todo = next === undefined ? [] : [`    → ${next}`];
  return [head, ...reason, ...hint, ...todo, ...renderTools(tools, style, columns)];
}

function shortenBlock(text: string, display: DisplayContext): string[] {
  return text.split("\n").map((line) => shortenPaths(line, display));
}

function indent(lines: readonly string[], paint: (text: string) => string): string[] {
  return lines.map((line) => `    ${paint(line)}`);
}
