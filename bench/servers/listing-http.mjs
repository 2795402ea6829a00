/**
 * Many Streamable HTTP servers in one process, each with its own port and tools: `listing-http.mjs <file…>`,
 * one JSON list of tools per server. Stateless, with JSON responses. Prints the URLs as JSON. Exits when its input ends.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const addresses = [];
for (const file of process.argv.slice(2)) addresses.push(await serve(readFileSync(file, "utf8")));
process.stdout.write(`${JSON.stringify(addresses)}\n`);
process.stdin.resume().on("end", () => process.exit());

async function serve(tools) {
  const server = createServer((request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { id, method, params } = JSON.parse(body);
      if (id === undefined) return void response.writeHead(202).end();
      const text = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${outcomeOf(method, params, tools)}}`;
      const length = Buffer.byteLength(text);
      response.writeHead(200, { "content-type": "application/json", "content-length": length }).end(text);
    });
  });
  server.keepAliveTimeout = 0; // connections stay open, because the client is measured
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${server.address().port}/mcp`;
}

function outcomeOf(method, params, tools) {
  if (method === "tools/list") return `"result":{"tools":${tools}}`;
  if (method !== "initialize") return `"error":{"code":-32601,"message":"Method not found"}`;
  const { protocolVersion } = params;
  const serverInfo = { name: "listing", version: "1.0.0" };
  return `"result":${JSON.stringify({ protocolVersion, capabilities: { tools: {} }, serverInfo })}`;
}
