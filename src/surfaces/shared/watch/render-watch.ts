import { safeLine, truncate } from "../../../terminal.ts";
import { count } from "../render/server-list.ts";
import { stateLabel, stateMark, statePaint } from "../render/state.ts";
import type { Style } from "../render/style.ts";
import { displayWidth, renderTable } from "../render/table.ts";
import type { WatchedServer } from "./watched-servers.ts";

/** Renders one line per server and the key hint. */
export function renderWatch(servers: readonly WatchedServer[], style: Style, columns: number): string[] {
  const rows = servers.map(({ view, tools }) => ({
    view,
    name: truncate(safeLine(view.name), 40),
    tools: tools === undefined ? "" : count(tools.length, "tool"),
    because: `${view.attempt === undefined ? "" : `attempt ${view.attempt}: `}${firstLine(view.because ?? "")}`,
  }));
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(displayWidth));
  const used =
    widest(rows.map(({ name }) => name)) +
    widest(rows.map(({ view }) => stateLabel(view.state))) +
    widest(rows.map(({ view }) => view.transport ?? "-")) +
    widest(rows.map(({ tools }) => tools)) +
    10; // the mark and the gaps
  const table = renderTable(
    rows.map(({ view, name, tools, because }) => [
      { text: `? ${name}`, paint: () => `${stateMark(view.state, style)} ${style.name(name)}` },
      { text: stateLabel(view.state), paint: statePaint(view.state, style) },
      { text: view.transport ?? "-", paint: style.dim },
      { text: tools },
      { text: truncate(because, Math.max(0, columns - used - 1)), paint: style.dim },
    ]),
  );
  const connected = servers.filter(({ view }) => view.state === "connected").length;
  const total = `${connected} of ${count(servers.length, "server")} connected`;
  return [...table, "", style.dim(`${total} · q to quit`)];
}

/** Returns the first line without the prefix that repeats the server's name. */
function firstLine(text: string): string {
  return safeLine(text.split("\n")[0] ?? "").replace(/^Failed to connect to "[^"]*": /, "");
}
