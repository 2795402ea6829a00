import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { createScriptedServer, type ServerScript } from "./scripted-server.ts";

/** The output of a stdio server, such as `process.stdout`. */
export interface LineOutput {
  /** Writes one or more lines. */
  write(text: string): unknown;
}

/** Runs a stdio MCP server on two streams, with one message per line. Resolves when the input ends. */
export async function serveLines(
  script: ServerScript,
  input: AsyncIterable<string | Uint8Array>,
  output: LineOutput,
): Promise<void> {
  const server = createScriptedServer(script);
  const lines = createInterface({ input: Readable.from(input), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    if (line.trim() === "") continue;
    try {
      void server.receive(JSON.parse(line), (message) => output.write(`${JSON.stringify(message)}\n`));
    } catch {
      const error = { code: -32700, message: "Parse error" };
      output.write(`${JSON.stringify({ jsonrpc: "2.0", id: null, error })}\n`);
    }
  }
}
