import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { createScriptedServer, type ServerScript } from "./scripted-server.ts";

/** Serves a script over two streams, one message a line: a stdio MCP server. Resolves when the input ends. */
export async function serveLines(script: ServerScript, input: Readable, output: Writable): Promise<void> {
  const server = createScriptedServer(script);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
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
