import { safeLine, safeText, type ToolProgress, truncate } from "../../../../index.ts";
import type { Style } from "../../../cli/render/style.ts";

/** A call, as far as it has come. */
export interface ShownCall {
  readonly server: string;
  readonly tool: string;
  readonly args: unknown;
  readonly progress?: ToolProgress | undefined;
  /** What came of it; nothing while it runs. */
  readonly text?: string | undefined;
  readonly isError?: boolean;
  readonly ms: number;
}

const PREVIEW_LINES = 4;

/** `● server · tool  key=value…  (1.2 s)`, beneath it how far it is, or the first lines of what it answered. */
export function renderCall(call: ShownCall, style: Style, columns: number): string[] {
  const { server, tool, args, progress, text, isError = false, ms } = call;
  const isRunning = text === undefined;
  const mark = isRunning ? style.warn("●") : isError ? style.bad("✗") : style.good("●");
  const name = server === "" ? safeLine(tool) : `${safeLine(server)} · ${safeLine(tool)}`;
  const time = isRunning && ms < 1_000 ? "" : `(${(ms / 1_000).toFixed(1)} s)`;
  const room = columns - name.length - time.length - 7;
  const words = room < 8 ? "" : truncate(describeArguments(args), room);
  const head = [`${mark} ${style.bold(name)}`, style.dim(words), style.dim(time)].filter(
    (part) => part !== "",
  );
  if (isRunning)
    return [head.join("  "), ...(progress ? [`  ${style.dim(describeProgress(progress, columns))}`] : [])];
  return [
    head.join("  "),
    ...preview(text, columns).map((line) => `  ${isError ? style.bad(line) : style.dim(line)}`),
  ];
}

/** `key=value key=value`, each on one line and not for long. */
export function describeArguments(args: unknown): string {
  if (typeof args !== "object" || args === null || Array.isArray(args))
    return args === undefined ? "" : oneLine(args);
  return Object.entries(args)
    .map(([key, value]) => `${safeLine(key)}=${truncate(oneLine(value), 60)}`)
    .join(" ");
}

function oneLine(value: unknown): string {
  return safeLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

function describeProgress({ progress, total, message = "" }: ToolProgress, columns: number): string {
  const amount = total === undefined ? String(progress) : `${progress}/${total}`;
  return truncate(`${amount} ${safeLine(message)}`.trimEnd(), columns - 3);
}

/** The first lines, and how many more there are. */
function preview(text: string, columns: number): string[] {
  const lines = safeText(text.trimEnd()).replaceAll("\t", "  ").split("\n");
  const shown = lines.slice(0, PREVIEW_LINES).map((line) => truncate(line, Math.max(10, columns - 3)));
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `… ${more} more ${more === 1 ? "line" : "lines"}`] : shown;
}
