import type { ToolProgress } from "../../../../index.ts";
import { safeLine, safeText, truncate } from "../../../../terminal.ts";
import type { Style } from "../../../shared/render/style.ts";
import { isPatch, paintPatchLine } from "./patch.ts";

/** A running or finished call. */
export interface ShownCall {
  readonly server: string;
  readonly tool: string;
  readonly args: unknown;
  readonly progress?: ToolProgress | undefined;
  /** The result. Undefined while the call runs. */
  readonly text?: string | undefined;
  readonly isError?: boolean;
  readonly ms: number;
}

/** The number of result lines shown before the rest is collapsed. */
export const PREVIEW_LINES = 4;
const PREVIEW_PATCH_LINES = 24;
const MOST_LINES = 2_000;
const MOST_LETTERS = 1_000;

/** Renders `● server · tool  key=value…  (1.2 s)` with the progress or the result below it. A running call has another mark. */
export function renderCall(call: ShownCall, style: Style, columns: number): string[] {
  const { server, tool, args, progress, text, isError = false, ms } = call;
  const isRunning = text === undefined;
  const mark = isRunning ? style.warn("◌") : isError ? style.bad("✗") : style.good("●");
  const name = server === "" ? safeLine(tool) : `${safeLine(server)} · ${safeLine(tool)}`;
  const time = isRunning && ms < 1_000 ? "" : `(${(ms / 1_000).toFixed(1)} s)`;
  const room = columns - name.length - time.length - 7;
  const words = room < 8 ? "" : truncate(describeArguments(args), room);
  const head = [`${mark} ${style.bold(name)}`, style.dim(words), style.dim(time)]
    .filter((part) => part !== "")
    .join("  ");
  const paint =
    !isError && text !== undefined && isPatch(text) ? paintPatchLine : isError ? style.bad : style.dim;
  const below = isRunning ? describeProgress(progress, columns) : linesOf(text);
  return [head, ...below.map((line) => (line === "" ? "" : `  ${paint(line, style)}`))];
}

/** Returns how many lines of a result are shown. A patch shows more. */
export function previewLines(text: string): number {
  return isPatch(text) ? PREVIEW_PATCH_LINES : PREVIEW_LINES;
}

/** Formats arguments as `key=value key=value`, each truncated to one line. */
function describeArguments(args: unknown): string {
  if (args === undefined) return "";
  if (typeof args !== "object" || args === null || Array.isArray(args)) return oneLine(args);
  return Object.entries(args)
    .map(([key, value]) => `${safeLine(key)}=${truncate(oneLine(value), 60)}`)
    .join(" ");
}

function oneLine(value: unknown): string {
  return safeLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

function describeProgress(progress: ToolProgress | undefined, columns: number): string[] {
  if (progress === undefined) return [];
  const { progress: done, total, message = "" } = progress;
  const amount = total === undefined ? String(done) : `${done}/${total}`;
  return [truncate(`${amount} ${safeLine(message)}`.trimEnd(), columns - 3)];
}

function linesOf(text: string): string[] {
  const lines = safeText(readable(text.trimEnd())).replaceAll("\t", "  ").split("\n");
  const shown = lines.slice(0, MOST_LINES).map((line) => truncate(line, MOST_LETTERS));
  return lines.length > MOST_LINES ? [...shown, `… ${lines.length - MOST_LINES} more lines`] : shown;
}

/** Formats a long single line of JSON on several lines. */
function readable(text: string): string {
  if (text.length < 80 || text.length > 200_000 || text.includes("\n") || !/^[{[]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
