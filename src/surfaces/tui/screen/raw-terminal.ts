/** A terminal in raw mode. */
export interface RawTerminal {
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
  /** Suspends the process and restores the terminal until the user resumes it. */
  suspend(): void;
  /** Restores the terminal. Can be called more than once. */
  close(): void;
}

export interface TerminalListeners {
  onBytes(bytes: Uint8Array): void;
  onResize(): void;
  /** Called when the process resumes. Everything must be painted again. */
  onResume(): void;
  /** Called when the terminal closes. */
  onGone(): void;
}

const MARK_PASTES = "\u001b[?2004h";
const RESTORE = "\u001b[?2004l\u001b[?25h";
const RESUME_MS = 50;

/** Opens the terminal of this process in raw mode. The caller must close it on every exit. */
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
  /** Input typed before raw mode arrives first and has a line feed for Enter. */
  const onData = (bytes: Uint8Array): void => {
    onBytes(isFirstLook ? bytes.map((byte) => (byte === 10 ? 13 : byte)) : bytes);
  };
  const setRaw = (raw: boolean): void => {
    if (raw === isRaw) return;
    isRaw = raw;
    try {
      stdin.setRawMode(raw);
    } catch {
      /* the terminal is closed */
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
      if (platform === "win32" || !isRaw) return; // job control is not available
      setRaw(false);
      stdin.off("data", onData);
      stdin.pause();
      // Sent to the whole process group, like the terminal does. If the process cannot be stopped, the timer resumes it.
      process.kill(0, "SIGTSTP");
      setTimeout(resume, RESUME_MS);
    },
    close,
  };
}
