/** A legacy stdio server that offers one of the tool lists in `heavy-definitions.mjs`, named by its first argument, and `echo`. */
import { createInterface } from "node:readline";
import { HEAVY_DEFINITIONS } from "./heavy-definitions.mjs";

const ECHO = { name: "echo", inputSchema: { type: "object", properties: { text: { type: "string" } } } };
const RESULTS = {
  initialize: () => ({
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "heavy", version: "0" },
  }),
  "tools/list": () => ({ tools: [ECHO, ...HEAVY_DEFINITIONS[process.argv[2]]()] }),
  "tools/call": ({ arguments: args }) => ({ content: [{ type: "text", text: String(args?.text) }] }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const body = RESULTS[method]
    ? { result: RESULTS[method](params ?? {}) }
    : { error: { code: -32601, message: "unknown" } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
});
process.stdin.on("end", () => process.exit(0));
