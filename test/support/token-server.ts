import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject, type JsonObject } from "../../src/model/index.ts";
import { createScriptedServer } from "../../src/testing/index.ts";

/** A request as the server saw it. */
export interface SeenRequest {
  readonly token: string;
  readonly method: string;
}

export interface TokenServer extends AsyncDisposable {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** Sessions of the legacy era that were used with another token than the one they were opened with. */
  readonly mixedUp: string[];
}

/**
 * Starts a server that tells every client its own token: as the result of `whoami`, in a resource and in a prompt. Every token has a
 * tool of its own. Requests without a token are refused.
 */
export async function startTokenServer(): Promise<TokenServer> {
  const seen: SeenRequest[] = [];
  const mixedUp: string[] = [];
  const sessions = new Map<string, string>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, token = ""] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "") ?? [];
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (token === "") return void response.writeHead(401).end();
    if (request.method !== "POST") return void response.writeHead(405).end();
    const message = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
    const method = String(message["method"]);
    seen.push({ token, method });
    const session = request.headers["mcp-session-id"];
    if (typeof session === "string" && sessions.get(session) !== token) mixedUp.push(`${method} ${token}`);
    if (message["id"] === undefined) return void response.writeHead(202).end();
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (method === "initialize") {
      const id = randomUUID();
      sessions.set(id, token);
      headers["mcp-session-id"] = id;
    }
    const script = createScriptedServer({
      name: "tokens",
      version: "1",
      tools: {
        whoami: { description: "Returns the token of the request", run: () => token },
        [`tool_of_${nameOf(token)}`]: { run: () => token },
      },
      resources: { "note://token": { name: "token", text: token } },
      prompts: { token: { text: () => token } },
    });
    let reply: JsonObject | undefined;
    await script.receive(message, (sent) => {
      if (isJsonObject(sent) && sent["id"] !== undefined) reply = sent;
    });
    response.writeHead(200, headers).end(JSON.stringify(reply));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    mixedUp,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The part of a token that is also the name of a tool. Tokens are `token-<name>-<generation>`. */
function nameOf(token: string): string {
  return token.split("-")[1] ?? "";
}
