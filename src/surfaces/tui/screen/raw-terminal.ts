/** A terminal that gives every key and is written to freely. */
export interface RawTerminal {
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
  /** Hands the terminal back to the shell that started us, until the person comes back. */
  suspend(): void;
  /** As it was before. Can be done twice. */
  close(): void;
}

export interface TerminalListeners {
  onBytes(bytes: Uint8Array): void;
  onResize(): void;
  /** The terminal was taken back after a pause; nothing of what was painted counts. */
  onResume(): void;
  /** There is nobody any more. */
  onGone(): void;
}

const MARK_PASTES = "\u001b[?2004h";
const RESTORE = "\u001b[?2004l\u001b[?25h";
const RESUME_MS = 50;

/** The terminal of this process. Whoever opens it closes it on every way out. */
export function openRawTerminal(
  { onBytes, onResize, onResume, onGone }: TerminalListeners,
  platform: string = process.platform,
): RawTerminal {
  const { stdin, stdout } = process;
  let isOpen = true;
  let isRaw = false;
  let isGone = false;
  let isFirstLook = true;

  const write = (text: string): void => {
    if (!isGone && text !== "") stdout.write(text);
  };
  const gone = (): void => {
    isGone = true;
    onGone();
  };
  /** What was typed before the terminal was raw comes with the first look at it, its Enter as a line feed. */
  const onData = (bytes: Uint8Array): void => {
    onBytes(isFirstLook ? bytes.map((byte) => (byte === 10 ? 13 : byte)) : bytes);
  };
  const setRaw = (raw: boolean): void => {
    if (raw === isRaw) return;
    isRaw = raw;
    try {
      stdin.setRawMode(raw);
    } catch {
      /* the terminal is gone */
    }
    write(raw ? MARK_PASTES : RESTORE);
  };
  const resume = (): void => {
    if (!isOpen || isRaw) return;
    stdin.on("data", onData);
    stdin.resume();
    setRaw(true);
    onResume();
  };
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    setRaw(false);
    stdin.off("data", onData);
    stdin.pause();
    stdin.off("end", gone);
    stdout.off("resize", onResize);
    process.off("SIGCONT", resume);
  };

  stdout.on("error", gone);
  stdin.on("error", gone);
  stdin.on("end", gone);
  stdout.on("resize", onResize);
  process.on("SIGCONT", resume);
  stdin.on("data", onData);
  setRaw(true);
  setImmediate(() => setImmediate(() => (isFirstLook = false)));

  return {
    get columns() {
      return stdout.columns || 80;
    },
    get rows() {
      return stdout.rows || 24;
    },
    write,
    suspend() {
      if (platform === "win32" || !isRaw) return; // there is no shell's job to stop
      setRaw(false);
      stdin.off("data", onData);
      stdin.pause();
      // To the whole job, as the terminal would send it. Where nobody can stop us, we go on at once.
      process.kill(0, "SIGTSTP");
      setTimeout(resume, RESUME_MS);
    },
    close,
  };
}
