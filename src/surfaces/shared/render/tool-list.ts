import type { AgentTool, JsonObject } from "../../../index.ts";
import { safeLine, truncate } from "../../../terminal.ts";
import { count } from "./server-list.ts";
import type { Style } from "./style.ts";
import { displayWidth, renderTable } from "./table.ts";

/** Renders the tools of one server with arguments and descriptions. */
export function renderToolList(
  server: string,
  tools: readonly AgentTool[],
  style: Style,
  columns: number,
): string[] {
  const note = cacheNote(tools, Date.now());
  return [
    `${style.bold(safeLine(server))} ${style.dim("·")} ${count(tools.length, "tool")}${note === "" ? "" : style.dim(note)}`,
    ...renderTools(tools, style, columns),
  ];
}

/** Returns a note if the list is from the cache, with its age. */
export function cacheNote(tools: readonly Pick<AgentTool, "stale" | "cachedAt">[], now: number): string {
  const isStale = tools.some((tool) => tool.stale);
  const cachedAt = tools.flatMap((tool) => tool.cachedAt ?? []).sort((left, right) => left - right)[0];
  if (cachedAt === undefined)
    return isStale ? " (cached, may be outdated; --refresh queries the server)" : "";
  return ` (cached, ${ageOf(now - cachedAt)}${isStale ? ", expired" : ""}; --refresh queries the server)`;
}

function ageOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "read less than a minute ago";
  if (minutes < 60) return `read ${count(minutes, "minute")} ago`;
  const hours = Math.floor(minutes / 60);
  return `read ${hours < 48 ? count(hours, "hour") : count(Math.floor(hours / 24), "day")} ago`;
}

export function renderTools(tools: readonly AgentTool[], style: Style, columns: number): string[] {
  const half = Math.max(20, Math.floor(columns / 2));
  const rows = tools.map((tool) => {
    const name = safeLine(tool.tool);
    const text = truncate(`${name}${signature(tool.inputSchema)}`, half);
    return { text, name, description: safeLine(tool.description) };
  });
  const width = Math.max(0, ...rows.map(({ text }) => displayWidth(text)));
  return renderTable(
    rows.map(({ text, name, description }) => [
      { text: `  ${text}`, paint: (plain: string) => plain.replace(name, () => style.name(name)) },
      { text: truncate(description, Math.max(12, columns - width - 4)), paint: style.dim },
    ]),
  );
}

/** Returns the arguments in the server's order, optional ones with a question mark: `(path, head?)`. */
export function signature(schema: JsonObject): string {
  const { properties, required } = schema;
  if (typeof properties !== "object" || properties === null || Array.isArray(properties)) return "()";
  const needed = new Set(Array.isArray(required) ? required : []);
  const names = Object.keys(properties).map((name) => `${safeLine(name)}${needed.has(name) ? "" : "?"}`);
  return `(${names.join(", ")})`;
}
