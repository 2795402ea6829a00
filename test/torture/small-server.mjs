/** A server that starts as fast as Node does: one tool of each required kind, a resource and a prompt. */
import { createInterface } from "node:readline";

const text = (value) => ({ content: [{ type: "text", text: value }] });
const tool = (name, properties = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: "object", properties },
});
const RUN = {
  echo: ({ text: said }) => text(said),
  long: () => text("x".repeat(200_000)),
  crash: () => process.exit(3),
  grow: () => {
    more = true;
    send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    return text("grown");
  },
};
const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
    serverInfo: { name: "small", version: "1.0.0" },
  }),
  "tools/list": () => ({
    tools: [
      tool("echo", { text: { type: "string" } }),
      ...["long", "crash", "grow"].map((name) => tool(name)),
      ...(more ? [tool("late")] : []),
    ],
  }),
  "tools/call": ({ name, arguments: given }) => RUN[name](given),
  "resources/list": () => ({ resources: [{ uri: "note://one", name: "one" }] }),
  "resources/templates/list": () => ({ resourceTemplates: [] }),
  "resources/read": ({ uri }) => ({ contents: [{ uri, text: "a note" }] }),
  "prompts/list": () => ({ prompts: [{ name: "greet", arguments: [{ name: "who" }] }] }),
  "prompts/get": () => ({ messages: [{ role: "user", content: { type: "text", text: "Hello." } }] }),
  ping: () => ({}),
};
let more = false;

const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const run = METHODS[method];
  if (run === undefined) send({ jsonrpc: "2.0", id, error: { code: -32_601, message: "Method not found" } });
  else send({ jsonrpc: "2.0", id, result: run(params ?? {}) });
});
