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
  readonly errIsTty: boolean;
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
  const { stdin, stdout, stderr, env } = process;
  const wantsColor = (stream: NodeJS.WriteStream): boolean => {
    if (env["NO_COLOR"]) return false;
    if (env["FORCE_COLOR"] && env["FORCE_COLOR"] !== "0") return true;
    return stream.isTTY && env["TERM"] !== "dumb";
  };
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    outIsTty: stdout.isTTY,
    errIsTty: stderr.isTTY,
    columns: stdout.columns ?? 100,
    style: (color) => createStyle(color && wantsColor(stdout)),
    errStyle: (color) => createStyle(color && wantsColor(stderr)),
    home: env["HOME"] ?? "",
    async confirm(question) {
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
      for await (const chunk of stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString("utf8");
    },
  };
}
