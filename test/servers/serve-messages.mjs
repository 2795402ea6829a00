/**
 * Serves hand-written servers over stdio, or over Streamable HTTP on 127.0.0.1, where it prints `listening <url>` and ends with its
 * input. Not a program.
 */
import { createServer } from "node:http";
import { createInterface } from "node:readline";

/** `receive` gets every message, and a function that sends messages: over HTTP, on the stream of that request. */
export function serveMessages(receive, { http = false } = {}) {
  if (!http) {
    const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    createInterface({ input: process.stdin }).on("line", (line) => receive(JSON.parse(line), send));
    process.stdin.on("end", () => process.exit(0));
    return;
  }
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request, response) => {
    if (request.method === "DELETE") return response.writeHead(204).end();
    if (request.method !== "POST") return response.writeHead(405).end();
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const message = JSON.parse(body);
    if (message.id === undefined || message.method === undefined) {
      receive(message, () => {});
      return response.writeHead(202).end();
    }
    const session = message.method === "initialize" ? { "mcp-session-id": "the-session" } : {};
    response.writeHead(200, { "content-type": "text/event-stream", ...session });
    receive(message, (sent) => {
      response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...sent })}\n\n`);
      if (sent.id === message.id && sent.method === undefined) response.end();
    });
  };
  server.listen(0, "127.0.0.1", () => console.log(`listening http://127.0.0.1:${server.address().port}/mcp`));
  process.stdin.resume().on("end", () => process.exit(0));
}
