// Repeats everything it received, wherever a server can send text. With --die it exits before it answers.
import { createInterface } from "node:readline";

const everything = [
  ...process.argv.slice(2),
  ...Object.entries(process.env)
    .filter(([name]) => name.startsWith("GIVEN_"))
    .map(([, value]) => value),
].join(" ");
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

console.error(`on standard error: ${everything}`);
process.stdout.write(`beside the protocol: ${everything}\n`);
if (process.argv.includes("--die")) process.exit(1);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  if (method === "initialize") {
    const { protocolVersion } = params;
    const serverInfo = { name: "echoing", version: "1" };
    send({ id, result: { protocolVersion, capabilities: { tools: {}, logging: {} }, serverInfo } });
    send({ method: "notifications/message", params: { level: "error", logger: "x", data: everything } });
  } else if (method === "tools/list") {
    send({ id, result: { tools: [{ name: "fail", inputSchema: { type: "object" } }] } });
  } else {
    send({ id, error: { code: -32601, message: `refused: ${everything}`, data: { everything } } });
  }
}
