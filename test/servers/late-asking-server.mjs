// A legacy server over stdio. It answers "slow" never, and sends a question of "slow" when "next" is called.
import { createInterface } from "node:readline";

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const tool = (name) => ({ name, inputSchema: { type: "object" } });
let waiting;

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === "initialize") {
    const { protocolVersion } = params;
    const serverInfo = { name: "late", version: "1.0.0" };
    send({ id, result: { protocolVersion, serverInfo, capabilities: { tools: {} } } });
  } else if (method === "tools/list") send({ id, result: { tools: [tool("slow"), tool("next")] } });
  else if (method === "ping") send({ id, result: {} });
  else if (method === "tools/call" && params.name === "next") {
    waiting = id;
    const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
    send({ id: "q", method: "elicitation/create", params: { message: "Who are you?", requestedSchema } });
  } else if (id === "q") {
    const text = JSON.stringify(result ?? error.message);
    send({ id: waiting, result: { content: [{ type: "text", text }] } });
  }
}
