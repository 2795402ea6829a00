/** A stdio server that sends one of the messages in `heavy-messages.mjs`, named by its first argument, and is well-behaved otherwise. */
import { writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { HEAVY_MESSAGES } from "./heavy-messages.mjs";

const { on, era, before, result, error, outputSchema } = HEAVY_MESSAGES[process.argv[2]]();
const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} };
const RESULTS = {
  initialize: { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "heavy", version: "0" } },
  "tools/list": {
    tools: [{ name: "go", inputSchema: { type: "object" }, ...(outputSchema && { outputSchema }) }],
  },
  "tools/call": { content: [{ type: "text", text: "fine" }] },
  "prompts/list": { prompts: [{ name: "p" }] },
  "prompts/get": { messages: [] },
  "resources/list": { resources: [{ uri: "r://a", name: "a" }] },
  "resources/templates/list": { resourceTemplates: [] },
  "resources/read": { contents: [] },
  "resources/subscribe": {},
  "completion/complete": { completion: { values: [] } },
  ...(era === "modern" && { "server/discover": { supportedVersions: ["2026-07-28"], capabilities } }),
};
const write = (text) => process.stdout.write(`${text}\n`);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  if (method === on) {
    writeFileSync(join(homedir(), "heavy-message-sent"), ""); // the measurement counts only if the host requested the message
    if (before !== undefined) write(before.replace("PROGRESS", params?.["_meta"]?.progressToken));
    write(`{"jsonrpc":"2.0","id":${id},${error === undefined ? `"result":${result}` : `"error":${error}`}}`);
    return;
  }
  const known = RESULTS[method];
  const body = known ? { result: known } : { error: { code: -32601, message: "unknown" } };
  write(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
});
process.stdin.on("end", () => process.exit(0));
