/** Serves a legacy server with sessions over Streamable HTTP. Not a program. */
import { randomUUID } from "node:crypto";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";

/** Most legacy servers keep sessions, which `createMcpHandler` does not. */
export function createLegacyHandler(createMcpServer) {
  const sessions = new Map();
  return async (request, response) => {
    const id = request.headers["mcp-session-id"];
    const known = sessions.get(id);
    if (id !== undefined && known === undefined) response.writeHead(404).end("no such session");
    else await (known ?? (await openSession(sessions, createMcpServer))).handleRequest(request, response);
  };
}

async function openSession(sessions, createMcpServer) {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, transport),
    onsessionclosed: (id) => sessions.delete(id),
  });
  await createMcpServer().connect(transport);
  return transport;
}
