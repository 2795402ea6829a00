import { fstatSync } from "node:fs";

/** How long to wait for the first byte. A parent process may never write to the pipe. */
const FIRST_BYTE_MS = 3_000;
const MOST_BYTES = 10 * 1024 * 1024;

/** Reads piped or redirected input. Returns an empty string on a terminal or if nothing arrives in time. */
export async function readPipedInput(): Promise<string> {
  if (!isPiped()) return "";
  const { stdin } = process;
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stdin.off("data", take).off("end", done).off("error", done).pause();
      stdin.unref?.();
      resolve(Buffer.concat(chunks).subarray(0, MOST_BYTES).toString("utf8"));
    };
    const take = (chunk: Buffer): void => {
      clearTimeout(timer);
      chunks.push(chunk);
      size += chunk.length;
      if (size > MOST_BYTES) done();
    };
    const timer = setTimeout(done, FIRST_BYTE_MS);
    stdin.on("data", take).on("end", done).on("error", done);
  });
}

function isPiped(): boolean {
  try {
    const facts = fstatSync(0);
    return facts.isFIFO() || facts.isFile() || facts.isSocket();
  } catch {
    return false; // standard input is closed
  }
}
