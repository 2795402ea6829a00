import { safeLine, truncate } from "../../../../terminal.ts";
import { renderError } from "../../../shared/render/error.ts";
import { wrap } from "../../screen/wrap.ts";
import type { LiveBlock, Screen } from "../../screen.ts";
import type { ChatEvent, TurnEnd } from "../chat-event.ts";
import { describeCut } from "./describe-cut.ts";
import { createMarkdownLines, type MarkdownLines } from "./markdown.ts";
import { previewLines, renderCall, type ShownCall } from "./render-call.ts";

/** Shows a turn on the screen: the streamed answer, and each call in its own block. */
export interface TurnDisplay {
  tell(event: ChatEvent): void;
  end(end: TurnEnd): void;
}

/** How often the elapsed time is updated. */
const TICK_MS = 1_000;
/** Limits for the shown start of a reasoning text and the shown end of an incomplete line. */
const MOST_REASONING = 1_000;
const MOST_LIVE_TEXT = 10_000;

interface RunningCall extends Omit<ShownCall, "ms"> {
  readonly block: LiveBlock;
  readonly startedAt: number;
}

export function createTurnDisplay(screen: Screen, model: string): TurnDisplay {
  const { style } = screen;
  const answer = createAnswer(screen);
  const calls = new Map<string, RunningCall>();
  const startedAt = performance.now();
  let waiting: LiveBlock | undefined;
  let reasoning = "";
  /** Whether a call was printed since the last text. */
  let needsBlankLine = false;

  const since = (start: number): number => performance.now() - start;
  const showCall = ({ block, ...call }: RunningCall): void =>
    block.show(renderCall({ ...call, ms: since(call.startedAt) }, style, screen.columns));
  /** Shows the waiting line. */
  const showWaiting = (): void => {
    waiting ??= screen.openBlock();
    const seconds = Math.floor(since(startedAt) / 1_000);
    const words = reasoning === "" ? `${model} is thinking` : reasoning;
    const room = Math.max(10, screen.columns - 28);
    waiting.show([style.dim(`… ${truncate(safeLine(words), room)}  ${seconds} s, Esc cancels`)]);
  };
  const stopWaiting = (): void => {
    waiting?.end();
    waiting = undefined;
    reasoning = "";
  };
  const tick = setInterval(() => {
    for (const call of calls.values()) showCall(call);
    if (waiting !== undefined) showWaiting();
  }, TICK_MS);
  tick.unref();
  showWaiting();

  const showCallEvent = (event: Exclude<ChatEvent, { type: "text" | "reasoning" }>): void => {
    if (event.type === "call.started") {
      const { server, tool, args } = event;
      const call = { server, tool, args, block: screen.openBlock(), startedAt: performance.now() };
      calls.set(event.id, call);
      showCall(call);
      return;
    }
    const call = calls.get(event.id);
    if (call === undefined) return;
    if (event.type === "call.progress") {
      const further = { ...call, progress: event.progress };
      calls.set(event.id, further);
      showCall(further);
      return;
    }
    calls.delete(event.id);
    needsBlankLine = true;
    const lines = renderCall({ ...call, ...event }, style, screen.columns);
    call.block.end(lines.join("\n"), { foldAfter: previewLines(event.text) + 1 });
    if (calls.size === 0) showWaiting();
  };
  return {
    tell(event) {
      switch (event.type) {
        case "text":
          stopWaiting();
          if (needsBlankLine) screen.print("");
          needsBlankLine = false;
          answer.take(event.text);
          break;
        case "reasoning":
          reasoning = (`${reasoning}${event.text}`.split("\n").at(-1) ?? "").slice(0, MOST_REASONING);
          answer.finish();
          showWaiting();
          break;
        default:
          stopWaiting();
          answer.finish();
          showCallEvent(event);
      }
    },
    end(end) {
      clearInterval(tick);
      stopWaiting();
      answer.finish();
      for (const { block } of calls.values()) block.end();
      if (end.kind === "done" && end.cut !== undefined) screen.print(style.warn(describeCut(end.cut)));
      if (end.kind === "aborted") screen.print(style.dim("Cancelled."));
      if (end.kind === "limit")
        screen.print(style.warn(`Stopped after ${end.steps} steps. To continue, type "continue".`));
      if (end.kind === "failed")
        screen.print(renderError(end.error, style, { verb: "", program: "/mcp" }).trimEnd());
    },
  };
}

/** Shows the model's answer. Complete lines are printed; the incomplete line stays in a live block. */
function createAnswer(screen: Screen): { take(text: string): void; finish(): void } {
  const startMarkdown = (): MarkdownLines => createMarkdownLines(screen.style, () => screen.columns);
  let markdown = startMarkdown();
  let block: LiveBlock | undefined;
  let rest = "";
  const print = (lines: readonly string[]): void => {
    for (const line of lines) {
      const indent = /^\s*(?:[•◦▪│]|\d+[.)])?\s*/.exec(line)?.[0].length ?? 0;
      screen.print(wrap(line, screen.columns, { indent }).join("\n"));
    }
  };
  return {
    take(text) {
      const [more = "", ...lines] = text.split("\n");
      rest += more;
      for (const line of lines) {
        print(markdown.take(rest));
        rest = line;
      }
      block ??= screen.openBlock({ isPreview: true });
      const growing = rest.slice(-MOST_LIVE_TEXT).replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
      block.show(markdown.preview(growing));
    },
    finish() {
      if (rest !== "") print(markdown.take(rest));
      print(markdown.end());
      block?.end();
      markdown = startMarkdown();
      block = undefined;
      rest = "";
    },
  };
}
