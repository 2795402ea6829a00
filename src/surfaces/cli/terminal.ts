import { createInterface } from "node:readline/promises";
import type { Style } from "./render/style.ts";
import { createStyle } from "./render/style.ts";

/** Where a command's words go, and who might be reading them. */
export interface Terminal {
  /** Results. */
  out(text: string): void;
  /** Everything else. */
  err(text: string): void;
  readonly outIsTty: boolean;
  errIsTty(): boolean;
  readonly columns: number;
  /** For what goes to `out`. */
  style(color: boolean): Style;
  errStyle(color: boolean): Style;
  readonly home: string;
  /** A yes or no from the person; `undefined` where nobody can answer. */
  confirm(question: string): Promise<boolean | undefined>;
  readAllInput(): Promise<string>;
}

/** This process's own terminal. */
export function createTerminal(): Terminal {
  const { env } = process;
  const wantsColor = (stream: NodeJS.WriteStream): boolean => {
    if (env["NO_COLOR"]) return false;
    if (env["FORCE_COLOR"] && env["FORCE_COLOR"] !== "0") return true;
    return stream.isTTY && env["TERM"] !== "dumb";
  };
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void errorStream().write(text),
    outIsTty: process.stdout.isTTY,
    errIsTty() {
      return errorStream().isTTY;
    },
    columns: process.stdout.columns ?? 100,
    style: (color) => createStyle(color && wantsColor(process.stdout)),
    errStyle: (color) => createStyle(color && wantsColor(errorStream())),
    home: env["HOME"] ?? "",
    async confirm(question) {
      const { stdin } = process;
      const stderr = errorStream();
      if (!stdin.isTTY || !stderr.isTTY) return undefined;
      const lines = createInterface({ input: stdin, output: stderr });
      try {
        return /^y(?:es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
      } catch {
        stderr.write("\n");
        return false; // Ctrl-C or end of input is a no
      } finally {
        lines.close();
      }
    },
    async readAllInput() {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString("utf8");
    },
  };
}

let usesErrors = false;

/** Standard error, made when it is first needed. Where nobody reads it, there is nobody to tell. */
function errorStream(): NodeJS.WriteStream {
  if (!usesErrors) process.stderr.on("error", () => {});
  usesErrors = true;
  return process.stderr;
}

/** Resolves when everything that was said is out. */
export async function drainTerminal(): Promise<void> {
  for (const stream of usesErrors ? [process.stdout, process.stderr] : [process.stdout]) {
    if (stream.writableLength > 0) await new Promise<void>((resolve) => stream.write("", () => resolve()));
  }
}
