import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { codeOf, messageOf } from "../../../index.ts";
import { usageError } from "../usage-error.ts";
import { BoundedInput, LARGEST_INPUT, tooLarge } from "./bounded-input.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "permission denied",
  EPERM: "permission denied",
};

/** Reads a file or pipe that the user names, such as `@args.json` or `@<(command)`. */
export async function readText(file: string): Promise<string> {
  try {
    return await read(file);
  } catch (error) {
    throw usageError(`Cannot read ${file}: ${REASONS[codeOf(error) ?? ""] ?? messageOf(error)}.`);
  }
}

async function read(path: string): Promise<string> {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const facts = fstatSync(file);
  const input = new BoundedInput();
  try {
    if (!facts.isFile() && !facts.isFIFO()) throw new Error("it is not a file");
    if (facts.size > LARGEST_INPUT) throw tooLarge();
    const chunk = Buffer.allocUnsafe(64 * 1024);
    for (let count = 0; (count = readSync(file, chunk)) > 0; )
      input.add(Buffer.from(chunk.subarray(0, count)));
  } catch (error) {
    // The pipe has no data yet because its writer is slower.
    if (codeOf(error) === "EAGAIN" && facts.isFIFO())
      return await (await import("./read-pipe.lazy.ts")).readPipe(file, input);
    closeSync(file);
    throw error;
  }
  closeSync(file);
  return input.text();
}
