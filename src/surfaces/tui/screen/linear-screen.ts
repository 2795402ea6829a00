import { setTimeout as delay } from "node:timers/promises";
import type { Style } from "../../shared/render/style.ts";
import { createTaskQueue } from "../questions/task-queue.ts";
import type { PrintOptions } from "../screen.ts";
import { cleanText } from "./clean-text.ts";
import type { OwnScreen, ScreenListeners } from "./create-screen.ts";
import { type Key, keyLabel } from "./key.ts";
import { createKeyDecoder } from "./key-decoder.ts";
import { createLinearDialogs, type ReadAnswer } from "./linear-dialogs.ts";
import { openRawTerminal } from "./raw-terminal.ts";
import { breakBetweenWords } from "./wrap.ts";

const PROMPT = "> ";
/** The prompt appears once nothing was printed for this long. */
const CALM_MS = 150;
/** A block that changes, such as a running call, is announced if it takes longer than this. */
const ANNOUNCE_MS = 2_000;
const ESCAPE_MS = 30;
const SECOND_PRESS_MS = 2_000;
/** A question that appears on its own ignores keys until a pause of this length. */
const PAUSE_MS = 500;

/** Reads one line. `undefined` means that the user cancelled. */
interface Reader {
  readonly prompt: string;
  readonly isHidden: boolean;
  readonly finish: (line: string | undefined) => void;
  /** Keys before this time are ignored. */
  openAt: number;
}

/**
 * A screen for screen readers: text is only added at the end, and nothing is painted again. Questions are numbered lists that are
 * answered with a line.
 */
export function createLinearScreen(style: Style, listeners: ScreenListeners): OwnScreen {
  const decoder = createKeyDecoder();
  const inTurn = createTaskQueue();
  let reader: Reader | undefined;
  /** The message that the user types, kept while a question is answered. */
  let typed = "";
  let answer = "";
  let isAtLineStart = true;
  let isPromptShown = false;
  let isOpen = true;
  let promptTimer: NodeJS.Timeout | undefined;
  let escapeTimer: NodeJS.Timeout | undefined;
  let interruptedAt = Number.NEGATIVE_INFINITY;
  let waitingCount = 0;

  const write = (text: string): void => {
    if (text === "") return;
    terminal.write(text.replaceAll("\n", "\r\n"));
    isAtLineStart = text.endsWith("\n");
  };
  const showPrompt = (): void => {
    if (!isOpen || isPromptShown) return;
    if (reader !== undefined && performance.now() < reader.openAt) return promptSoon();
    isPromptShown = true;
    write(`${reader?.prompt ?? PROMPT}${reader === undefined ? typed : reader.isHidden ? "" : answer}`);
  };
  const promptSoon = (): void => {
    clearTimeout(promptTimer);
    // The prompt of a question appears once it accepts keys.
    promptTimer = setTimeout(showPrompt, Math.max(CALM_MS, (reader?.openAt ?? 0) - performance.now()));
  };
  const print = (text: string, _options?: PrintOptions): void => {
    if (!isAtLineStart) write("\n");
    isPromptShown = false;
    write(`${breakBetweenWords(cleanText(text).replace(/\n$/, ""), terminal.columns)}\n`);
    promptSoon();
  };
  const setText = (text: string): void => {
    if (reader === undefined) typed = text;
    else answer = text;
  };
  const isReading = (): boolean => reader !== undefined;
  const currentText = (): string => (reader === undefined ? typed : answer);

  const read: ReadAnswer = (prompt, { isHidden = false, isUnexpected = false, signal }) =>
    inTurn(async () => {
      if (!isOpen || signal?.aborted === true) return undefined;
      const line = await new Promise<string | undefined>((finish) => {
        signal?.addEventListener("abort", () => finish(undefined), { once: true });
        answer = "";
        reader = { prompt, isHidden, finish, openAt: isUnexpected ? performance.now() + PAUSE_MS : 0 };
        if (!isAtLineStart) write("\n");
        isPromptShown = false;
        promptSoon();
      });
      reader = undefined;
      isPromptShown = false;
      promptSoon();
      return line;
    });

  const enter = (): void => {
    const line = currentText();
    write("\n");
    isPromptShown = false;
    setText("");
    if (reader !== undefined) return reader.finish(line);
    if (line.trim() !== "") listeners.onLine(line);
    else promptSoon();
  };
  const interrupt = (): void => {
    if (performance.now() - interruptedAt < SECOND_PRESS_MS) return listeners.onLeave("interrupted");
    interruptedAt = performance.now();
    reader?.finish(undefined);
    if (!listeners.onInterrupt()) setText("");
    print("Press Ctrl-C again to quit.");
  };
  const bindings: Readonly<Record<string, () => void>> = {
    enter,
    escape: () => (reader === undefined ? listeners.onEscape() : reader.finish(undefined)),
    backspace() {
      const letters = [...currentText()];
      if (letters.pop() === undefined) return;
      setText(letters.join(""));
      if (reader?.isHidden !== true) write("\b \b");
    },
    "ctrl+u"() {
      setText("");
      print("Cleared.");
    },
    "ctrl+d"() {
      if (currentText() === "") listeners.onLeave("asked");
    },
  };
  const onKey = (key: Key): void => {
    const label = keyLabel(key);
    if (label === "ctrl+c") return interrupt();
    const now = performance.now();
    if (reader !== undefined && now < reader.openAt) {
      reader.openAt = now + PAUSE_MS;
      return;
    }
    if (key.kind === "key") return bindings[label]?.();
    showPrompt();
    const text = cleanText(key.text).replaceAll("\n", " ");
    setText(currentText() + text);
    if (reader?.isHidden !== true) write(text);
  };
  const onKeys = (keys: readonly Key[]): void => {
    for (const key of keys) if (isOpen) onKey(key);
    clearTimeout(escapeTimer);
    if (decoder.isWaiting) escapeTimer = setTimeout(() => onKeys(decoder.flush()), ESCAPE_MS);
  };
  const terminal = openRawTerminal({
    onBytes: (bytes) => onKeys(decoder.push(bytes)),
    onResize() {},
    onResume: promptSoon,
    onGone: () => listeners.onLeave("interrupted"),
  });
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    process.off("exit", close);
    process.off("uncaughtExceptionMonitor", close);
    clearTimeout(promptTimer);
    clearTimeout(escapeTimer);
    reader?.finish(undefined);
    if (!isAtLineStart) write("\n");
    terminal.close();
  };
  process.on("exit", close);
  process.on("uncaughtExceptionMonitor", close);

  return {
    isLinear: true,
    get columns() {
      return terminal.columns;
    },
    style,
    dialogs: createLinearDialogs(print, read),
    print,
    openBlock({ isPreview = false } = {}) {
      let lines: readonly string[] = [];
      const stop = new AbortController();
      const announce = async (): Promise<void> => {
        const pause = (): Promise<void> => delay(ANNOUNCE_MS, undefined, { signal: stop.signal, ref: false });
        await pause();
        while (isReading()) await pause(); // the user is answering a question, often the one that the block waits for
        if (lines[0] !== undefined) print(lines[0]);
      };
      if (!isPreview) announce().catch(() => {}); // it ended in time
      return {
        show(shown) {
          lines = shown;
        },
        end(text) {
          stop.abort();
          if (text !== undefined && text !== "") print(text);
        },
      };
    },
    setAside() {},
    setStatus() {},
    setWaiting(lines) {
      if (lines.length > waitingCount) print(`Queued lines: ${lines.length}.`);
      waitingCount = lines.length;
    },
    putBack(lines) {
      setText([...lines, currentText()].filter((line) => line !== "").join(" "));
      isPromptShown = false;
      promptSoon();
    },
    clear: () => print(""),
    close,
  };
}
