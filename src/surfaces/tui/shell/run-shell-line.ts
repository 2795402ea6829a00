import { type ChildProcess, spawn } from "node:child_process";
import { messageOf } from "../../../index.ts";
import { safeText } from "../../../terminal.ts";
import type { LineHandler } from "../line-handler.ts";
import type { Screen } from "../screen.ts";

/** Output beyond this is dropped, so that a command cannot fill the memory. */
const MOST_CHARACTERS = 1_000_000;
const PREVIEW_ROWS = 40;
/** How long a cancelled command may take to end before it is killed. */
const END_MS = 2_000;

/**
 * Handles `!command`: runs a line of the user in a shell. Only lines that a person typed reach a handler, so a model or a server
 * cannot run one. The output is not sent to the model.
 */
export function createShellLine(
  screen: Screen,
  folder: string,
  platform: string = process.platform,
): LineHandler {
  const { style } = screen;
  return {
    help: [["!<command>", "run a shell command; the model does not see it"]],
    accepts: (line) => line.startsWith("!") && line.slice(1).trim() !== "",
    async run(line, signal) {
      const { code, output } = await runInShell(line.slice(1), {
        cwd: folder,
        signal,
        isWindows: platform === "win32",
      });
      const text = safeText(output.replaceAll("\r\n", "\n")).trimEnd();
      if (text !== "") screen.print(text, { foldAfter: PREVIEW_ROWS });
      if (signal.aborted) screen.print(style.dim("Cancelled."));
      else if (code !== 0) screen.print(style.warn(`The command ended with ${code}.`));
    },
  };
}

interface ShellEnd {
  /** The exit code, or how the command ended otherwise. */
  readonly code: number | string;
  readonly output: string;
}

interface ShellOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Windows has no process groups. */
  readonly isWindows: boolean;
}

function runInShell(command: string, { cwd, signal, isWindows }: ShellOptions): Promise<ShellEnd> {
  // Its own process group, so that cancelling also ends what the shell started.
  const child = spawn(command, { cwd, shell: true, detached: !isWindows, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const take = (text: string): void => {
    if (output.length < MOST_CHARACTERS) output += text;
  };
  child.stdout.setEncoding("utf8").on("data", take);
  child.stderr.setEncoding("utf8").on("data", take);
  let timer: NodeJS.Timeout | undefined;
  /** The program may end before the timer does. */
  const kill = (): void => end(child, "SIGKILL", isWindows);
  const cancel = (): void => {
    end(child, "SIGTERM", isWindows);
    timer = setTimeout(kill, END_MS);
  };
  process.once("exit", kill);
  return new Promise((resolve) => {
    const finish = (code: number | string): void => {
      clearTimeout(timer);
      process.off("exit", kill);
      signal.removeEventListener("abort", cancel);
      resolve({ code, output: output.slice(0, MOST_CHARACTERS) });
    };
    child.once("error", (error) => finish(messageOf(error)));
    child.once("close", (code, killed) => finish(code ?? killed ?? "an unknown signal"));
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
  });
}

function end(child: ChildProcess, signal: NodeJS.Signals, isWindows: boolean): void {
  try {
    if (isWindows || child.pid === undefined) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // it has already ended
  }
}
