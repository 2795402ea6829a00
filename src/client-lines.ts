import { HostError } from "./model/index.ts";
import { LineSplitter } from "./platform/index.ts";

/** Longer messages are refused. */
const LONGEST_LINE = 16 * 1024 * 1024;

/** Splits what a client sends into lines. Blank lines are skipped. */
export async function* linesOf(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const splitter = new LineSplitter(LONGEST_LINE);
  for await (const chunk of input) {
    const text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const lines = splitter.push(text);
    if (lines === undefined)
      throw new HostError("USAGE_INVALID", `The client sent a line of more than ${LONGEST_LINE} characters.`);
    for (const line of lines) if (line.trim() !== "") yield line;
  }
  const rest = splitter.rest();
  if (rest.trim() !== "") yield rest;
}
