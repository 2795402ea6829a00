import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Reads one typed line without showing it. Resolves with `undefined` if the user cancels. */
export async function readHidden(question: string, signal: AbortSignal): Promise<string | undefined> {
  const { stdin, stderr } = process;
  const discarded = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: discarded, terminal: true, historySize: 0 });
  stderr.write(question); // only after the interface turned off echo
  try {
    const closed = new Promise<undefined>((resolve) => {
      lines.once("SIGINT", () => lines.close());
      lines.once("close", () => resolve(undefined));
    });
    return await Promise.race([lines.question("", { signal }), closed]);
  } catch {
    return undefined; // aborted by the signal
  } finally {
    lines.close();
    stderr.write("\n");
  }
}
