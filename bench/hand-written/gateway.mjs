/**
 * The baseline of a gateway: `gateway.mjs <{"server": "url", …}> <token>`. It checks the token, finds the server by the tool's prefix, and passes the
 * call on over an open connection. No sessions, no policy, no notifications; not for production. Prints its URL.
 */
import { createServer } from "node:http";
import { openHttp } from "./http-client.mjs";

const [upstreams, token] = process.argv.slice(2);
const servers = new Map();
const tools = [];
for (const [name, url] of Object.entries(JSON.parse(upstreams))) {
  const client = await openHttp({ url });
  servers.set(name, client);
  for (const tool of (await client.listTools()).tools) tools.push({ ...tool, name: `${name}_${tool.name}` });
}

const server = createServer((request, response) => {
  if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end();
  if (request.method !== "POST") return void response.writeHead(405).end();
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => void answer(JSON.parse(body), response));
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`));
process.stdin.resume().on("end", () => process.exit());

async function answer({ id, method, params }, response) {
  if (id === undefined) return void response.writeHead(202).end();
  const text = JSON.stringify({ jsonrpc: "2.0", id, ...(await outcomeOf(method, params)) });
  const length = Buffer.byteLength(text);
  response.writeHead(200, { "content-type": "application/json", "content-length": length }).end(text);
}

async function outcomeOf(method, params) {
  if (method === "tools/call") {
    const [name] = params.name.split("_", 1);
    const client = servers.get(name);
    return { result: await client.callTool(params.name.slice(name.length + 1), params.arguments) };
  }
  if (method === "tools/list") return { result: { tools } };
  if (method !== "initialize") return { error: { code: -32601, message: `Method not found: ${method}` } };
  const { protocolVersion } = params;
  const serverInfo = { name: "hand-written", version: "1.0.0" };
  return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } };
}
