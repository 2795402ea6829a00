/** The terminal's alternate screen. It is redrawn on changes, and restored by `close`. */
export interface LiveScreen {
  readonly columns: number;
  draw(lines: readonly string[]): void;
  /** Resolves with the key that the user pressed to quit. */
  readonly left: Promise<"q" | "ctrl-c">;
  close(): void;
}

const OPEN = "\u001b[?1049h\u001b[?25l";
const CLOSE = "\u001b[?25h\u001b[?1049l";
const CURSOR_HOME = "\u001b[H";
const CLEAR_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";

/**
 * Opens the screen. Calls `onResize` when the terminal size changes. Restores the terminal on every exit, including
 * signals.
 */
export function openLiveScreen(onResize: () => void): LiveScreen {
  const { stdin, stdout } = process;
  const write = (text: string): void => void stdout.write(text);
  let isOpen = true;
  let leave: (key: "q" | "ctrl-c") => void = () => {};
  const left = new Promise<"q" | "ctrl-c">((resolve) => {
    leave = resolve;
  });
  const onKeys = (keys: Buffer): void => {
    const text = keys.toString("utf8");
    if (text.includes("\u0003")) leave("ctrl-c");
    else if (/[qQ]/.test(text)) leave("q");
  };
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    write(CLOSE);
    stdout.off("resize", onResize);
    process.off("exit", close);
    stdin.off("data", onKeys);
    if (stdin.isTTY) stdin.setRawMode(false);
    stdin.pause();
  };
  if (stdin.isTTY) {
    stdin.setRawMode(true);
    stdin.on("data", onKeys);
  }
  stdout.on("resize", onResize);
  process.on("exit", close);
  write(OPEN);
  return {
    get columns() {
      return stdout.columns || 80;
    },
    left,
    close,
    draw(lines) {
      const room = (stdout.rows || 24) - 1; // some terminals do not report their size
      const shown = lines.slice(0, Math.max(1, room)).map((line) => `${line}${CLEAR_LINE}\n`);
      if (isOpen) write(`${CURSOR_HOME}${shown.join("")}${CLEAR_BELOW}`);
    },
  };
}
