import type { Style } from "../../shared/render/style.ts";
import type { Completions } from "../line-handler.ts";
import type { PrintOptions, Screen } from "../screen.ts";
import { cleanText } from "./clean-text.ts";
import { createDialogQueue } from "./dialog-queue.ts";
import { createFoldedTexts } from "./folded-texts.ts";
import { type Key, keyLabel } from "./key.ts";
import { createKeyDecoder } from "./key-decoder.ts";
import { createKeyGuard } from "./key-guard.ts";
import { createLineInput, type LineQueue } from "./line-input.ts";
import { createLiveRegion } from "./live-region.ts";
import { createPainter, type Frame } from "./painter.ts";
import { openRawTerminal } from "./raw-terminal.ts";
import { statusRow } from "./status-row.ts";
import { breakBetweenWords, cut } from "./wrap.ts";

/** The callbacks and options of the screen. */
export interface ScreenListeners {
  /** Shown while the input is empty. */
  readonly placeholder?: string;
  /** Whether the screen has no input line and shows only questions. */
  readonly isForQuestionsOnly?: boolean;
  onLine(line: string): void;
  /** Edits the lines that wait to run. */
  readonly queue?: LineQueue;
  /** Called on Esc, unless Esc closed a menu or a question. */
  onEscape(): void;
  /** Called on the first Ctrl-C. Returns whether something was cancelled. */
  onInterrupt(): boolean;
  /** Called on a second Ctrl-C, on Ctrl-D in an empty line, or when the terminal closes. */
  onLeave(how: "asked" | "interrupted"): void;
  complete(line: string, cursor: number, signal: AbortSignal): Promise<Completions | undefined>;
}

/** The screen with the methods that only its owner uses. */
export interface OwnScreen extends Screen {
  /** Sets the left part of the status line. The first form that fits is shown. */
  setStatus(...forms: readonly string[]): void;
  /** Sets the queued lines shown above the input. */
  setWaiting(lines: readonly string[]): void;
  /** Puts lines that did not run back into the input. */
  putBack(lines: readonly string[]): void;
  /** Clears everything except the input. */
  clear(): void;
  /** Restores the terminal. */
  close(): void;
}

/** How long to wait after Esc for the rest of an escape sequence. */
const ESCAPE_MS = 30;
const FRAME_MS = 16;
const SECOND_PRESS_MS = 2_000;
const MOST_WAITING_ROWS = 5;
const LEAVE_HINT = "Press Ctrl-C again to quit";
const CLEAR_ALL = "\u001b[2J\u001b[3J\u001b[H";

/** Takes over the terminal of this process. Restores it on every exit, including crashes. */
export function createScreen(style: Style, listeners: ScreenListeners): OwnScreen {
  const painter = createPainter();
  const decoder = createKeyDecoder();
  const folded = createFoldedTexts();
  let printed = "";
  let status: readonly string[] = [];
  let aside: readonly string[] = [];
  let hint = "";
  let waiting: readonly string[] = [];
  let isOpen = true;
  let isPaused = false;
  let paintedAt = 0;
  let frameTimer: NodeJS.Timeout | undefined;
  let isPaintDue = false;
  let escapeTimer: NodeJS.Timeout | undefined;
  let leaveTimer: NodeJS.Timeout | undefined;

  const print = (text: string, { foldAfter }: PrintOptions = {}): void => {
    const room = { columns: terminal.columns, rows: foldAfter };
    const shown = folded.fold(cleanText(text), room, style.dim).replace(/\n$/, "");
    printed += `${breakBetweenWords(shown, room.columns)}\n`;
    paintSoon();
  };
  const region = createLiveRegion(print, () => paintSoon());
  const queue = createDialogQueue({
    style,
    size: () => ({ columns: terminal.columns, rows: terminal.rows }),
    print,
    onChange: () => paintSoon(),
  });
  const input = createLineInput({
    style,
    placeholder: listeners.placeholder ?? "",
    onLine: listeners.onLine,
    ...(listeners.queue && { queue: listeners.queue }),
    isCompact: Boolean(process.env["SSH_CONNECTION"] ?? process.env["SSH_TTY"]),
    complete: listeners.complete,
    onChange: () => paintNow(),
  });

  const guard = createKeyGuard({ isTyping: () => !input.isEmpty, onOpen: () => paintSoon() });

  const frame = (): Frame => {
    const { columns, rows } = terminal;
    if (listeners.isForQuestionsOnly === true && queue.panel === undefined)
      return { rows: [], cursor: { row: 0, column: 0 }, isCursorShown: false };
    const own = queue.panel ?? input;
    const below = statusRow(
      { left: hint === "" ? status : [style.warn(hint)], right: aside },
      columns,
      style,
    );
    const { rows: seen, cursor } = own.view(columns, Math.max(1, rows - below.length - 2));
    const isWaiting = queue.panel !== undefined && !guard.isOpen(queue.panel);
    const front = isWaiting ? notYet(seen, style) : seen;
    const lines = waitingRows(waiting, columns, style);
    const room = rows - front.length - below.length - lines.length - 2;
    const live = region.rows(columns, room);
    const above = [...(live.length > 0 ? ["", ...live] : []), "", ...lines];
    const all = [...above, ...front, ...below].slice(-rows);
    const lost = above.length + front.length + below.length - all.length;
    return {
      rows: all,
      cursor: { row: Math.max(0, above.length - lost + (cursor?.row ?? 0)), column: cursor?.column ?? 0 },
      isCursorShown: cursor !== undefined,
    };
  };
  const paint = (): void => {
    clearTimeout(frameTimer);
    frameTimer = undefined;
    isPaintDue = false;
    if (!isOpen || isPaused) return;
    const text = painter.paint(printed, frame(), terminal.columns);
    printed = "";
    paintedAt = performance.now();
    terminal.write(text);
  };
  /** Paints with the next frame. All changes until then are painted once. */
  const paintSoon = (): void => {
    if (frameTimer !== undefined || isPaintDue || !isOpen) return;
    frameTimer = setTimeout(paint, Math.max(0, FRAME_MS - (performance.now() - paintedAt)));
  };
  /** Paints after the current key is handled. */
  const paintNow = (): void => {
    if (isPaintDue || !isOpen) return;
    isPaintDue = true;
    setImmediate(paint);
  };

  const disarm = (): void => {
    clearTimeout(leaveTimer);
    leaveTimer = undefined;
    hint = "";
  };
  const interrupt = (): void => {
    if (leaveTimer !== undefined) {
      listeners.onLeave("interrupted");
      return;
    }
    const hadQuestion = queue.panel !== undefined;
    if (hadQuestion) queue.cancel();
    const hadWork = listeners.onInterrupt();
    if (!hadQuestion && !hadWork) input.clear();
    hint = LEAVE_HINT;
    leaveTimer = setTimeout(() => {
      disarm();
      paintSoon();
    }, SECOND_PRESS_MS);
  };
  const suspend = (): void => {
    isPaused = true;
    terminal.write(painter.leave());
    terminal.suspend();
  };
  const onKey = (key: Key): void => {
    const label = keyLabel(key);
    if (label === "ctrl+c") return interrupt();
    disarm();
    if (label === "ctrl+z") return suspend();
    const acceptsKeys = queue.panel === undefined || guard.isOpen(queue.panel);
    guard.keyPressed();
    if (!acceptsKeys) return;
    if (queue.panel !== undefined) return void queue.panel.handle(key);
    if (listeners.isForQuestionsOnly === true) return;
    if (label === "ctrl+d" && input.isEmpty) return listeners.onLeave("asked");
    if (label === "ctrl+o") return openFolded();
    if (label === "ctrl+l") return clear();
    if (!input.handle(key) && label === "escape") listeners.onEscape();
  };
  const openFolded = (): void => {
    const text = folded.open();
    if (text !== undefined) print(`\n${text}`);
  };
  const clear = (): void => {
    printed = "";
    terminal.write(`${painter.leave()}${CLEAR_ALL}`);
    paintNow();
  };
  const onKeys = (keys: readonly Key[]): void => {
    for (const key of keys) if (isOpen) onKey(key);
    clearTimeout(escapeTimer);
    if (decoder.isWaiting) escapeTimer = setTimeout(() => onKeys(decoder.flush()), ESCAPE_MS);
    if (keys.length > 0) paintNow();
  };

  const terminal = openRawTerminal({
    onBytes: (bytes) => onKeys(decoder.push(bytes)),
    onResize: () => paintSoon(),
    onResume() {
      isPaused = false;
      paintNow();
    },
    onGone: () => listeners.onLeave("interrupted"),
  });
  const close = (): void => {
    if (!isOpen) return;
    process.off("exit", close);
    process.off("uncaughtExceptionMonitor", close);
    queue.close();
    clearTimeout(frameTimer);
    clearTimeout(escapeTimer);
    clearTimeout(leaveTimer);
    guard.close();
    isOpen = false;
    terminal.write(`${painter.leave()}${printed.replaceAll("\n", "\r\n")}`);
    terminal.close();
  };
  process.on("exit", close);
  process.on("uncaughtExceptionMonitor", close);
  paint();

  return {
    get columns() {
      return terminal.columns;
    },
    style,
    dialogs: queue.dialogs,
    print,
    openBlock: region.openBlock,
    setAside(...forms) {
      aside = forms;
      paintSoon();
    },
    setStatus(...forms) {
      status = forms;
      paintSoon();
    },
    setWaiting(lines) {
      waiting = lines;
      paintSoon();
    },
    putBack(lines) {
      input.putBack(lines);
      paintSoon();
    },
    clear,
    close,
  };
}

/** Marks a question that does not accept keys yet. */
function notYet([title = "", ...rows]: readonly string[], style: Style): string[] {
  return [title.replace("? ", "⋯ "), ...rows.slice(0, -1), style.dim("  Ready for input in a moment.")];
}

/** Renders the newest lines that wait to run, with the key that edits them. */
function waitingRows(waiting: readonly string[], columns: number, style: Style): string[] {
  if (waiting.length === 0) return [];
  const words = `  Waiting: ${waiting.length} · ↑ edits · Esc takes them back`;
  return [words, ...waiting.slice(-MOST_WAITING_ROWS).map((line) => `  ┆ ${firstLine(line)}`)].map((row) =>
    style.dim(cut(row, columns)),
  );
}

function firstLine(text: string): string {
  const [line = "", ...more] = cleanText(text).split("\n");
  return more.length > 0 ? `${line} …` : line;
}
