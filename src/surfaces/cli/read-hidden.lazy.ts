import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { ToolAbortError } from "../../index.ts";
import { interruptCommand } from "./interrupt-command.ts";

/** Reads one typed line without showing it. Resolves with `undefined` if the input ends or the signal aborts. */
export async function readHidden(question: string, signal: AbortSignal): Promise<string | undefined> {
  const { stdin, stderr } = process;
  const discarded = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: discarded, terminal: true, historySize: 0 });
  stderr.write(question); // only after the interface turned off echo
  try {
    const closed = new Promise<undefined>((resolve, reject) => {
      lines.once("SIGINT", () => reject(interruptCommand()));
      lines.once("close", () => resolve(undefined));
    });
    return await Promise.race([lines.question("", { signal }), closed]);
  } catch (error) {
    if (error instanceof ToolAbortError) throw error;
    return undefined; // aborted by the signal, or Ctrl-D
  } finally {
    lines.close();
    stderr.write("\n");
  }
}
