import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Gateway, HttpServer } from "../../src/gateway.ts";
import { gatewayIn } from "../support/gateway-clients.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

let sandbox: Sandbox;
let gateway: Gateway;
let server: HttpServer;

beforeAll(async () => {
  sandbox = await createSandbox();
  gateway = await gatewayIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
  server = await gateway.listen({ port: 0, allowOrigins: ["app://page"], allowHosts: ["gateway.test"] });
});
afterAll(async () => {
  await gateway.close();
  await sandbox[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

interface Sent {
  readonly verb?: string;
  readonly path?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string;
}

/** Sends exactly these headers, which `fetch` would not. */
function send({ verb = "POST", path = "/mcp", headers = {}, body = "" }: Sent): Promise<Answer> {
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, method: verb, path, headers, setHost: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode, headers: response.headers, body: text }),
        );
      },
    );
    sent.on("error", reject).end(verb === "GET" ? "" : body);
  });
}

const own = (): Record<string, string> => ({
  host: new URL(server.url).host,
  authorization: `Bearer ${server.token}`,
  "content-type": "application/json",
});
const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const modern = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META } });
const modernHeaders = (method: string, name?: string): Record<string, string> => ({
  ...own(),
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": method,
  ...(name !== undefined && { "mcp-name": name }),
});

describe("local access", () => {
  const accepted = (): Sent[] => {
    const { port } = new URL(server.url);
    return [
      { headers: own() },
      { headers: { ...own(), host: `localhost:${port}` } },
      { headers: { ...own(), host: `[::1]:${port}` } },
      { headers: { ...own(), host: "gateway.test" } },
      { headers: { ...own(), origin: `http://localhost:${port}` } },
      { headers: { ...own(), origin: "app://page" } },
      { headers: { ...own(), "content-type": "application/json; charset=utf-8" } },
    ];
  };
  const refused = (): [status: number, sent: Sent][] => {
    const { authorization: _, ...anonymous } = own();
    const { host: __, ...hostless } = own();
    return [
      [401, { headers: anonymous }],
      [401, { headers: { ...own(), authorization: "Bearer wrong" } }],
      [401, { headers: { ...own(), authorization: server.token } }],
      [401, { headers: { ...anonymous, "x-plugboard-principal": "root", "x-forwarded-user": "root" } }],
      [401, { headers: anonymous, body: `[${PING}]` }],
      [401, { headers: anonymous, path: "/mcp/s/tools" }],
      [401, { headers: anonymous, verb: "GET" }],
      [401, { headers: anonymous, path: "/anything" }],
      [400, { headers: hostless }],
      [403, { headers: { ...own(), host: "evil.example" } }],
      [403, { headers: { ...own(), host: "127.0.0.1.evil.example:80" } }],
      [403, { headers: { ...own(), host: "127.0.0.1:1" } }],
      [403, { headers: { ...own(), origin: "https://evil.example" } }],
      [403, { headers: { ...own(), origin: "null" } }],
      [403, { headers: { ...own(), host: "gateway.test", origin: "http://gateway.test" } }],
      [400, { headers: { ...own(), "mcp-session-id": ["a", "b"] } }],
      [415, { headers: { ...own(), "content-type": "text/plain" } }],
      [415, { headers: { ...own(), "content-type": "application/x-www-form-urlencoded" } }],
      [404, { headers: own(), path: "/mcp/s/unknown" }],
      [404, { headers: own(), path: "/mcp/../admin" }],
      [405, { headers: own(), verb: "PUT" }],
      [405, { headers: own(), verb: "GET" }],
      [404, { headers: { ...own(), "mcp-session-id": "pb1.invented" } }],
      [431, { headers: { ...own(), "x-long": "a".repeat(20_000) } }],
      [413, { headers: own(), body: JSON.stringify({ a: "a".repeat(5 * 1024 * 1024) }) }],
    ];
  };

  test("requests of this machine with the token are answered", async () => {
    for (const sent of accepted())
      expect(await send({ body: PING, ...sent }), JSON.stringify(sent)).toMatchObject({ status: 200 });
  });

  test("all other requests are refused before anything else happens", async () => {
    for (const [status, sent] of refused())
      expect((await send({ body: PING, ...sent })).status, JSON.stringify(sent).slice(0, 300)).toBe(status);
  });

  test("a refused client learns only that it must send a token, and nothing about servers", async () => {
    const { headers, body } = await send({ body: PING, headers: { host: new URL(server.url).host } });
    expect(headers["www-authenticate"]).toBe("Bearer");
    expect(body).not.toContain("tools");
  });

  test("only allowed pages get permission to read answers", async () => {
    const preflight = { verb: "OPTIONS", headers: { host: new URL(server.url).host, origin: "app://page" } };
    expect(await send(preflight)).toMatchObject({
      status: 204,
      headers: {
        "access-control-allow-origin": "app://page",
        "access-control-expose-headers": "mcp-session-id",
      },
    });
    const plain = await send({ headers: own(), body: PING });
    expect(plain.headers).not.toHaveProperty("access-control-allow-origin");
  });

  test("only the user can read the token, and it stays the same", async () => {
    expect((await stat(server.tokenFile)).mode & 0o777).toBe(0o600);
    await using other = await gateway.listen({ port: 0 }).then((one) => ({
      token: one.token,
      [Symbol.asyncDispose]: () => one.close(),
    }));
    expect(other.token).toBe(server.token);
    expect(server.token).toMatch(/^pb_[\w-]{43}$/);
  });

  test.each(["0.0.0.0", "::", "192.168.0.1", "example.com", "127.evil.example"])(
    "the gateway does not listen on %s",
    async (host) => {
      await expect(gateway.listen({ host, port: 0 })).rejects.toMatchObject({
        code: "USAGE_INVALID",
        message:
          "Listening beyond loopback requires authentication, which this version does not support yet.",
      });
    },
  );
});

describe("parsing", () => {
  test.each([
    ["a batch", `[${PING}]`, -32600],
    ["an empty batch", "[]", -32600],
    ["a text", '"x"', -32600],
    ["another JSON-RPC version", '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ["parameters that are a list", '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600],
    ["invalid JSON", "{", -32700],
  ])("%s is refused with 400", async (_, body, code) => {
    const answer = await send({ headers: own(), body });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code } });
  });

  const call = (text = "x"): string => modern("tools/call", { name: "tools_echo", arguments: { text } });

  test.each([
    ["a method in the header that differs", { "mcp-method": "ping" }],
    ["a name in the header that differs", { "mcp-name": "tools_fail" }],
    ["an encoded name that differs", { "mcp-name": "=?base64?dG9vbHNfZmFpbA==?=" }],
    ["a version in the header that differs", { "mcp-protocol-version": "2025-11-25" }],
  ])("%s from the body is refused with -32020", async (_, headers) => {
    const sent = { ...modernHeaders("tools/call", "tools_echo"), ...headers };
    const answer = await send({ headers: sent, body: call() });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: -32020 } });
  });

  test.each(["mcp-method", "mcp-name", "mcp-protocol-version"])("a missing %s is refused", async (name) => {
    const { [name]: _, ...headers } = modernHeaders("tools/call", "tools_echo");
    const answer = await send({ headers, body: call() });
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([400, { error: { code: -32020 } }]);
  });

  test("an encoded name that equals the body is accepted", async () => {
    const headers = modernHeaders("tools/call", "=?base64?dG9vbHNfZWNobw==?=");
    expect((await send({ headers, body: call() })).status).toBe(200);
  });
});

describe("corrections 1.1 to 1.16 over HTTP", () => {
  test("1.1 initialize is legacy, whatever session header comes with it", async () => {
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "x", version: "1" },
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    const answer = await send({ headers: { ...own(), "mcp-session-id": "unknown" }, body });
    expect(answer.headers["mcp-session-id"]).toMatch(/^pb1\./);
    expect(JSON.parse(answer.body)).toMatchObject({ result: { protocolVersion: "2025-06-18" } });
  });

  test("1.1 a modern request ignores a session header, and a notification is accepted with 202", async () => {
    const headers = { ...modernHeaders("tools/list"), "mcp-session-id": "unknown" };
    expect((await send({ headers, body: modern("tools/list") })).status).toBe(200);
    const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/x", params: { _meta: META } });
    expect((await send({ headers: own(), body })).status).toBe(202);
  });

  test("1.6 modern results have the fields of the era, and legacy results none of them", async () => {
    const answer = await send({ headers: modernHeaders("tools/list"), body: modern("tools/list") });
    expect(JSON.parse(answer.body)).toMatchObject({
      result: {
        resultType: "complete",
        ttlMs: expect.any(Number),
        cacheScope: "private",
        _meta: { "io.modelcontextprotocol/serverInfo": { name: "plugboard" } },
      },
    });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const { result } = JSON.parse((await send({ headers: own(), body })).body) as { result: object };
    expect(Object.keys(result)).toEqual(["tools"]);
  });

  test("1.7 discover names the modern version, and so does the refusal of an unknown one", async () => {
    const answer = await send({ headers: modernHeaders("server/discover"), body: modern("server/discover") });
    expect(JSON.parse(answer.body)).toMatchObject({ result: { supportedVersions: ["2026-07-28"] } });
    const params = { _meta: { ...META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params });
    const unknown = await send({
      headers: { ...modernHeaders("tools/list"), "mcp-protocol-version": "2099-01-01" },
      body,
    });
    expect([unknown.status, JSON.parse(unknown.body)]).toMatchObject([
      400,
      {
        error: {
          code: -32022,
          data: { supported: ["2026-07-28"], requested: "2099-01-01" },
        },
      },
    ]);
  });

  test("1.10 a method that does not exist is -32601, with 404 for modern clients", async () => {
    const answer = await send({ headers: modernHeaders("ping"), body: modern("ping") });
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([404, { error: { code: -32601 } }]);
  });

  test("1.12 a session of another endpoint is answered like one that does not exist", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
    const { headers } = await send({ headers: own(), path: "/mcp/s/tools", body });
    const session = { ...own(), "mcp-session-id": String(headers["mcp-session-id"]) };
    expect((await send({ headers: session, path: "/mcp/s/tools", body: PING })).status).toBe(200);
    expect((await send({ headers: session, body: PING })).status).toBe(404);
    expect((await send({ headers: session, path: "/mcp/s/tools", verb: "DELETE" })).status).toBe(204);
    expect((await send({ headers: session, path: "/mcp/s/tools", body: PING })).status).toBe(404);
  });

  test("3 a legacy request without a session is served without client capabilities", async () => {
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "tools_echo", arguments: { text: "hi" } },
    });
    const answer = await send({ headers: own(), body });
    expect(JSON.parse(answer.body)).toMatchObject({ result: { content: [{ text: "hi" }] } });
  });
});

test("the endpoint of a server that is not approved reports only that, and starts nothing", async () => {
  await using place = await createSandbox();
  const ran = join(place.project, "ran");
  const entry = { command: "touch", args: [ran], description: "private-canary" };
  await place.writeProject(".mcp.json", { mcpServers: { evil: entry } });
  await using all = await gatewayIn(place, { discover: true });
  const { url, token } = await all.listen({ port: 0 });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  for (const method of ["initialize", "tools/list", "ping"]) {
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "a", version: "1" },
    };
    const response = await fetch(new URL("/mcp/s/evil", url), {
      method: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", id: 7, method, params }),
    });
    expect([response.status, response.headers.get("mcp-session-id"), await response.json()]).toEqual([
      403,
      null,
      {
        jsonrpc: "2.0",
        id: 7,
        error: {
          code: -32603,
          message: 'The server "evil" requires approval. To review it: plugboard trust',
          data: { reason: "interaction_required", code: "INTERACTION_REQUIRED" },
        },
      },
    ]);
  }
  expect(existsSync(ran)).toBe(false);
});
