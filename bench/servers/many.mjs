/** A stdio MCP server with very many tools (`--tools N`), all on one page, which is the worst case. Exits when its input ends. */
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { manyTools } from "../many-tools.mjs";

const { tools: count } = parseArgs({ options: { tools: { type: "string", default: "10000" } } }).values;

const tools = manyTools(Number(count));
const list = JSON.stringify({ tools });

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${outcomeOf(method, params)}}\n`);
});

function outcomeOf(method, params) {
  if (method === "tools/list") return `"result":${list}`;
  if (method !== "initialize") return `"error":{"code":-32601,"message":"Method not found"}`;
  const { protocolVersion } = params;
  const serverInfo = { name: "many", version: "1.0.0" };
  return `"result":${JSON.stringify({ protocolVersion, capabilities: { tools: {} }, serverInfo })}`;
}
