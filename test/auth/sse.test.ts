import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { statusOf } from "../../src/compat/index.ts";
import { hostErrorOf, hostIn } from "../flow/host-in.ts";
import { type OauthServer, startOauthServer } from "../support/oauth-server.ts";
import { createSandbox } from "../support/sandbox.ts";

const CLIENT = { clientId: "known-client", clientSecret: "s3cret-of-the-client" };
let issuer: OauthServer;
beforeAll(async () => {
  issuer = await startOauthServer(["--client", CLIENT.clientId, "--secret", CLIENT.clientSecret]);
});
afterAll(() => issuer[Symbol.asyncDispose]());

interface SseServer extends AsyncDisposable {
  readonly url: string;
  /** The method and the `Authorization` header of every request. */
  readonly seen: (readonly [method: string, authorization: string | undefined])[];
}

/** A legacy SSE server that requires a bearer token: an event stream and an endpoint for messages. */
async function startSseServer(): Promise<SseServer> {
  const seen: [string, string | undefined][] = [];
  let stream: ServerResponse | undefined;
  const server: Server = createServer((request, response) => {
    const { authorization } = request.headers;
    seen.push([request.method ?? "", authorization]);
    if (!authorization?.startsWith("Bearer ")) return void response.writeHead(401).end();
    if (request.method === "GET") {
      stream = response.writeHead(200, { "content-type": "text/event-stream" });
      return void stream.write("event: endpoint\ndata: /message\n\n");
    }
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      response.writeHead(202).end();
      const { id, method } = JSON.parse(body) as { id?: number; method: string };
      if (id === undefined) return;
      stream?.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, ...answerTo(method) })}\n\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerTo(method: string): object {
  if (method === "initialize") {
    const serverInfo = { name: "sse", version: "1.0.0" };
    return { result: { protocolVersion: "2024-11-05", capabilities: { tools: {} }, serverInfo } };
  }
  if (method === "tools/list")
    return { result: { tools: [{ name: "echo", inputSchema: { type: "object" } }] } };
  if (method === "tools/call") return { result: { content: [{ type: "text", text: "hi" }] } };
  return { error: { code: -32_601, message: "unknown method" } };
}

test("an sse server gets its token on the stream and on every message", async () => {
  await using sandbox = await createSandbox();
  await using server = await startSseServer();
  const { issuer: at } = await issuer.control();
  const oauth = {
    ...CLIENT,
    grantType: "client_credentials",
    authUrl: `${at}/auth`,
    tokenUrl: `${at}/token`,
  };
  const auth = { type: "oauth", credentialId: "my-sse" };
  await using host = await hostIn(sandbox, {
    servers: { notes: { type: "sse", url: server.url, oauth, auth } },
  });
  expect((await host.call("notes", "echo", {})).text).toBe("hi");
  const withToken = server.seen.filter(([, authorization]) => authorization !== undefined);
  expect(new Set(withToken.map(([method]) => method))).toEqual(new Set(["GET", "POST"]));
  for (const [, authorization] of withToken) expect(authorization).toMatch(/^Bearer \S{20,}$/);
  expect((await host.signIns.list()).map(({ id }) => id)).toEqual(["my-sse"]);
});

test("an sse server that rejects its token requires a sign-in", async () => {
  await using sandbox = await createSandbox();
  await using server = await startSseServer();
  await using host = await hostIn(sandbox, { servers: { notes: { type: "sse", url: server.url } } });
  const error = await hostErrorOf(host.call("notes", "echo", {}));
  expect([error.code.startsWith("AUTH_"), statusOf(host)["notes"]?.status]).toEqual([true, "needs_auth"]);
});
