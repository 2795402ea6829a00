import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { IPty } from "@lydell/node-pty";
import type { Sandbox } from "./sandbox.ts";
import { createTerminalModel, type TerminalModel } from "./terminal-model.ts";

const program = fileURLToPath(new URL("../../dist/surfaces/cli/main.cjs", import.meta.url));
/** Less than a test may take, so that the screen is reported instead of the test's own time-out. */
const PATIENCE_MS = 20_000;

const pty = loadPty();

/** Whether programs can run on a pseudo-terminal here. If not, the reason is printed once. */
export const hasPty: boolean = pty !== undefined;

/** Keys as a terminal sends them. */
export const KEYS = {
  enter: "\r",
  escape: "\u001b",
  tab: "\t",
  backTab: "\u001b[Z",
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  backspace: "\u007f",
  ctrl: (letter: string): string => String.fromCharCode(letter.toUpperCase().charCodeAt(0) - 64),
  paste: (text: string): string => `\u001b[200~${text.replaceAll("\n", "\r")}\u001b[201~`,
} as const;

export interface PtyOptions {
  readonly sandbox: Sandbox;
  readonly columns?: number;
  readonly rows?: number;
  /** On top of the sandbox's environment; colours are off unless `NO_COLOR` is given as "". */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A program other than the built one. */
  readonly command?: readonly [file: string, ...args: string[]];
}

export interface PtyEnd {
  readonly code: number;
  readonly signal: number | undefined;
}

/**
 * The built program on its own terminal, and what a user sees there. Disposing it ends it with everything it started.
 */
export interface PtyProgram extends AsyncDisposable {
  readonly pid: number;
  type(...keys: readonly string[]): void;
  /** Types the line and Enter. */
  enter(line: string): void;
  /** What is on the screen now, as lines. */
  screen(): string[];
  /** The whole text, including what has scrolled away. */
  everything(): string;
  /**
   * Resolves with the screen once it contains the text, matches the pattern, or passes the check. Rejects with the
   * screen.
   */
  waitFor(wanted: Wanted, what?: string): Promise<string[]>;
  /** The same for everything ever shown, including what has scrolled away. */
  waitForText(wanted: string | RegExp): Promise<string>;
  resize(columns: number, rows: number): void;
  kill(signal: NodeJS.Signals): void;
  /** Closes the terminal, as closing its window does. */
  hangUp(): void;
  readonly model: TerminalModel;
  /** Everything the program sent, as it is. */
  raw(): string;
  readonly ended: Promise<PtyEnd>;
}

type Wanted = string | RegExp | ((screen: string[]) => boolean);

/** Starts the built program in a terminal. */
export function startOnPty(args: readonly string[], options: PtyOptions): PtyProgram {
  if (pty === undefined) throw new Error("There is no pseudo-terminal here; ask hasPty first.");
  const { sandbox, columns = 80, rows = 24, env = {}, cwd = sandbox.project } = options;
  const [file, ...words] = options.command ?? [process.execPath, program, ...args];
  const model = createTerminalModel(columns, rows);
  const child: IPty = pty.spawn(file, words, {
    name: "xterm-256color",
    cols: columns,
    rows,
    cwd,
    env: { ...sandbox.env(), NO_COLOR: "1", TERM: "xterm-256color", ...env },
  });
  let raw = "";
  let end: PtyEnd | undefined;
  const watchers = new Set<() => void>();
  const look = (): void => {
    for (const watcher of watchers) watcher();
  };
  child.onData((text) => {
    raw += text;
    model.write(text);
    look();
  });
  const ended = new Promise<PtyEnd>((resolve) => {
    child.onExit(({ exitCode, signal }) => {
      end = { code: exitCode, signal: signal === 0 ? undefined : signal };
      resolve(end);
      look();
    });
  });

  const waitUntil = <T>(find: () => T | undefined, what: string): Promise<T> =>
    new Promise((resolve, reject) => {
      const finish = (): void => {
        clearTimeout(timer);
        watchers.delete(watcher);
      };
      const give = (why: string): void => {
        finish();
        reject(new Error(`${why} while waiting for ${what}\n${frame(model)}`));
      };
      const watcher = (): void => {
        const found = find();
        if (found !== undefined) {
          finish();
          resolve(found);
        } else if (end !== undefined) {
          give(`The program ended with ${end.code}`);
        }
      };
      const timer = setTimeout(() => give("Nothing came"), PATIENCE_MS);
      watchers.add(watcher);
      watcher();
    });
  const fits = (wanted: Wanted, lines: string[]): boolean => {
    if (typeof wanted === "function") return wanted(lines);
    const text = lines.join("\n");
    if (lines.some((line) => line.startsWith("⋯ "))) return false; // a question that does not accept keys yet
    return typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
  };

  return {
    pid: child.pid,
    model,
    ended,
    raw: () => raw,
    type: (...keys) => keys.forEach((key) => child.write(key)),
    enter: (line) => child.write(`${line}\r`),
    screen: () => model.screen(),
    everything: () => model.everything().join("\n"),
    waitFor: (wanted, what = String(wanted)) =>
      waitUntil(() => (fits(wanted, model.screen()) ? model.screen() : undefined), what),
    waitForText: (wanted) =>
      waitUntil(() => {
        const text = model.everything().join("\n");
        return (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text)) ? text : undefined;
      }, String(wanted)),
    resize(newColumns, newRows) {
      model.resize(newColumns, newRows);
      child.resize(newColumns, newRows);
    },
    kill: (signal) => child.kill(signal),
    hangUp: () => (child as IPty & { destroy(): void }).destroy(),
    async [Symbol.asyncDispose]() {
      // A process that outlives a program that ended by itself is a leak, and the leak check must find it.
      if (end === undefined) child.kill("SIGKILL");
      await ended;
    },
  };
}

function frame(model: TerminalModel): string {
  return model
    .screen()
    .map((line) => `  │ ${line}`)
    .join("\n");
}

function loadPty(): typeof import("@lydell/node-pty") | undefined {
  try {
    return createRequire(import.meta.url)("@lydell/node-pty") as typeof import("@lydell/node-pty");
  } catch (error) {
    console.log(`skipped: no pseudo-terminal can be made here (${String(error).split("\n")[0]})`);
    return undefined;
  }
}
