import { fstatSync, writeSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { isatty } from "node:tty";
import { codeOf, messageOf, ToolAbortError } from "../../index.ts";
import { BoundedInput } from "../shared/input/bounded-input.ts";
import { createStyle } from "../shared/render/style.ts";
import type { Terminal } from "../shared/terminal.ts";
import { usageError } from "../shared/usage-error.ts";
import { interruptCommand } from "./interrupt-command.ts";

/** The width of a terminal that does not tell it. */
const UNKNOWN_WIDTH = 80;
/** The width of a pipe or a file, unless COLUMNS is set. */
const PIPE_WIDTH = 100;

function columnsOf(given = ""): number {
  return /^[1-9]\d{0,4}$/.test(given) ? Number(given) : PIPE_WIDTH;
}

/** Returns the terminal of this process. */
export function createTerminal(): Terminal {
  const { env } = process;
  const outIsTty = isTerminal(1);
  const wantsColor = (isTty: boolean): boolean => {
    if (env["NO_COLOR"]) return false;
    if (env["FORCE_COLOR"] && env["FORCE_COLOR"] !== "0") return true;
    return isTty && env["TERM"] !== "dumb";
  };
  return {
    out: writeOut,
    err: (text) => void errorStream().write(text),
    outIsTty,
    errIsTty: () => isTerminal(2),
    columns: outIsTty ? process.stdout.columns || UNKNOWN_WIDTH : columnsOf(env["COLUMNS"]),
    style: (color) => createStyle(color && wantsColor(outIsTty)),
    errStyle: (color) => createStyle(color && wantsColor(isTerminal(2))),
    home: env["HOME"] ?? "",
    canAnswer: () => isTerminal(0),
    async confirm(question) {
      if (!process.stdin.isTTY || !errorStream().isTTY) return undefined;
      const answer = await askLine(`${question} [y/N] `);
      return /^y(?:es)?$/i.test(answer?.trim() ?? ""); // the end of the input means no
    },
    readLine: askLine,
    showProgress(line) {
      if (isTerminal(2)) errorStream().write(`\r\u001b[K${line ?? ""}`);
    },
    cancelKey: "Ctrl-C",
    readAllInput,
    async readHidden(question, signal) {
      if (!isTerminal(0)) return (await readAllInput()).replace(/\r?\n$/, "");
      return (await import("./read-hidden.lazy.ts")).readHidden(question, signal);
    },
  };
}

/** Resolves with `undefined` if the input ends or the signal aborts. */
async function askLine(question: string, signal?: AbortSignal): Promise<string | undefined> {
  const endLine = (): void => void (isTerminal(2) && errorStream().write("\n"));
  const lines = createInterface({ input: process.stdin, output: errorStream() });
  try {
    const closed = new Promise<undefined>((resolve, reject) => {
      lines.once("SIGINT", () => reject(interruptCommand()));
      lines.once("close", () => resolve(undefined));
    });
    const asked = signal === undefined ? lines.question(question) : lines.question(question, { signal });
    const answer = await Promise.race([asked, closed]);
    if (answer === undefined) endLine();
    return answer;
  } catch (error) {
    endLine();
    if (error instanceof ToolAbortError) throw error;
    return undefined; // aborted by the signal, or Ctrl-D
  } finally {
    lines.close();
  }
}

async function readAllInput(): Promise<string> {
  const input = new BoundedInput();
  try {
    for await (const chunk of process.stdin) input.add(chunk as Buffer);
  } catch (error) {
    throw usageError(`Cannot read standard input: ${messageOf(error)}`);
  }
  return input.text();
}

/** Does not use Node's streams, because creating them takes longer than most commands. */
function isTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice() && isatty(descriptor);
  } catch {
    return false; // the descriptor is closed
  }
}

let usesStream = false;

/** Writes synchronously. If the reader is slow (EAGAIN), writes the rest through a stream. */
function writeOut(text: string | Uint8Array): void {
  const bytes = typeof text === "string" ? Buffer.from(text, "utf8") : text;
  let written = 0;
  try {
    if (!usesStream) for (; written < bytes.length; ) written += writeSync(1, bytes, written);
  } catch (error) {
    if (codeOf(error) !== "EAGAIN") leave(error);
    usesStream = true;
    process.stdout.on("error", leave);
  }
  if (usesStream) process.stdout.write(bytes.subarray(written));
}

/** Exits with 0 if the reader closed the pipe early, as in `plugboard list | head`. */
function leave(error: unknown): never {
  process.exit(codeOf(error) === "EPIPE" ? 0 : 1);
}

let usesErrors = false;

/** Returns standard error, created on first use. Write errors are ignored. */
function errorStream(): NodeJS.WriteStream {
  if (!usesErrors) process.stderr.on("error", () => {});
  usesErrors = true;
  return process.stderr;
}

/** Resolves when all output is written. */
export async function drainTerminal(): Promise<void> {
  const used = [...(usesStream ? [process.stdout] : []), ...(usesErrors ? [process.stderr] : [])];
  for (const stream of used) {
    if (stream.writableLength > 0) await new Promise<void>((resolve) => stream.write("", () => resolve()));
  }
}
