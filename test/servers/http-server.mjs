/**
 * The tools of `tool-set.mjs` over Streamable HTTP on 127.0.0.1; prints `listening <url>` and ends with its input.
 * Arguments: --require-header name=value (else 401), --status N (the status of every response),
 * --legacy-only (sessions and `initialize`, no 2026-07-28), --port N. CANCEL_FILE and START_FILE as in `tools-server.mjs`.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { createToolServer } from "./tool-set.mjs";

const { values: flags } = parseArgs({
  options: {
    "require-header": { type: "string" },
    status: { type: "string" },
    "legacy-only": { type: "boolean", default: false },
    port: { type: "string", default: "0" },
  },
});
const serve = flags["legacy-only"]
  ? createLegacyHandler()
  : toNodeHandler(createMcpHandler(createToolServer));

const server = createServer((request, response) => {
  const refusal = refusalOf(request);
  if (refusal === undefined) void serve(request, response);
  else {
    const headers = refusal === 401 ? { "www-authenticate": "Bearer" } : {};
    response.writeHead(refusal, headers).end(`status ${refusal}`);
  }
});
server.listen(Number(flags.port), "127.0.0.1", () =>
  console.log(`listening http://127.0.0.1:${server.address().port}/mcp`),
);
process.stdin.resume().on("end", () => process.exit(0));

function refusalOf({ headers, url }) {
  if (flags.status !== undefined) return Number(flags.status);
  const [, name, value] = /^([^=]+)=(.*)$/u.exec(flags["require-header"] ?? "") ?? [];
  if (name !== undefined && headers[name.toLowerCase()] !== value) return 401;
  return url === "/mcp" ? undefined : 404;
}

/** Most legacy servers keep sessions, which `createMcpHandler` does not. */
function createLegacyHandler() {
  const sessions = new Map();
  return async (request, response) => {
    const id = request.headers["mcp-session-id"];
    const known = sessions.get(id);
    if (id !== undefined && known === undefined) response.writeHead(404).end("no such session");
    else await (known ?? (await openSession(sessions))).handleRequest(request, response);
  };
}

async function openSession(sessions) {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, transport),
    onsessionclosed: (id) => sessions.delete(id),
  });
  await createToolServer().connect(transport);
  return transport;
}
