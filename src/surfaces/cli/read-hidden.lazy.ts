import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** One line typed by a person that does not appear on the screen; `undefined` when they call it off. */
export async function readHidden(question: string, signal: AbortSignal): Promise<string | undefined> {
  const { stdin, stderr } = process;
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: unseen, terminal: true, historySize: 0 });
  stderr.write(question); // not before the terminal stopped showing what is typed
  try {
    const closed = new Promise<undefined>((resolve) => {
      lines.once("SIGINT", () => lines.close());
      lines.once("close", () => resolve(undefined));
    });
    return await Promise.race([lines.question("", { signal }), closed]);
  } catch {
    return undefined; // it is no longer wanted
  } finally {
    lines.close();
    stderr.write("\n");
  }
}
