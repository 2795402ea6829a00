/** A stdio MCP server with very many tools, `--tools N`, all on one page: the worst that one answer can be. Ends with its input. */
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

const { tools: count } = parseArgs({ options: { tools: { type: "string", default: "10000" } } }).values;

const tools = Array.from({ length: Number(count) }, (_, index) => ({
  name: `look_up_${lettersOf(index)}`,
  description: `Tool number ${index}: looks something up by its path and answers what it found, as text.`,
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", description: "Where to look" },
      depth: { type: "integer", minimum: 0, description: "How deep to look" },
      kinds: { type: "array", items: { type: "string", enum: ["file", "folder", "link"] } },
    },
    required: ["path"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
}));
const list = JSON.stringify({ tools });

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${outcomeOf(method, params)}}\n`);
});

/** Numbers would be no letters in a tool's name, and all names the same. */
function lettersOf(index) {
  return String(index).replaceAll(/\d/g, (digit) => "abcdefghij"[digit]);
}

function outcomeOf(method, params) {
  if (method === "tools/list") return `"result":${list}`;
  if (method !== "initialize") return `"error":{"code":-32601,"message":"Method not found"}`;
  const { protocolVersion } = params;
  const serverInfo = { name: "many", version: "1.0.0" };
  return `"result":${JSON.stringify({ protocolVersion, capabilities: { tools: {} }, serverInfo })}`;
}
