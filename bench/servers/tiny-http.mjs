/**
 * The tiny server over Streamable HTTP: stateless, with JSON responses and no dependencies. Prints its URL. Exits when
 * its input ends.
 */
import { createServer } from "node:http";
import { outcomeOf } from "./tiny-outcome.mjs";

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
    const text = JSON.stringify({ jsonrpc: "2.0", id, ...outcomeOf(method, params) });
    const length = Buffer.byteLength(text);
    response.writeHead(200, { "content-type": "application/json", "content-length": length }).end(text);
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`));
process.stdin.resume().on("end", () => process.exit());
