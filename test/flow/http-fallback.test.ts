import { describe, expect, test } from "vitest";
import { createQuickClock } from "../support/quick-clock.ts";
import { outcomeOf, type RawAnswer, type RawHttp, serveRaw } from "../support/raw-http.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startHttpServer, startSseServer, stdioServer } from "../support/test-servers.ts";
import { failureOf, hostIn } from "./host-in.ts";

const KINDS = ["http", "sse"] as const;

describe("regardless of the type in the config", () => {
  test.each(KINDS)("an SSE server is reached as %s", async (type) => {
    await using sandbox = await createSandbox();
    await using server = await startSseServer();
    await using host = await hostIn(sandbox, { servers: { web: { type, url: server.url } } });
    expect(await host.connect("web")).toMatchObject({ transport: "sse", era: "legacy" });
    expect(await host.call("web", "echo", { message: "hi" })).toMatchObject({ text: "Echo: hi" });
  });

  test.each(KINDS)("a Streamable HTTP server is reached as %s", async (type) => {
    await using sandbox = await createSandbox();
    for (const flags of [[], ["--legacy-only"]]) {
      await using server = await startHttpServer(flags);
      await using host = await hostIn(sandbox, { servers: { web: { type, url: server.url } } });
      expect(await host.connect("web")).toMatchObject({ transport: "http" });
      expect(await host.call("web", "echo", { text: "hi" })).toMatchObject({ text: "hi" });
    }
  });

  test("a Streamable HTTP server with a silent stream is reached as sse", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveRaw({
      answer({ verb }, response) {
        if (verb !== "GET") return false;
        response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
        return true;
      },
    });
    const ports = { clock: createQuickClock() };
    await using host = await hostIn(sandbox, { servers: { web: { type: "sse", url: server.url } }, ports });
    expect(await host.connect("web")).toMatchObject({ transport: "http" });
  });

  test("an SSE server that opens its stream for every method is reached as http", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveSse({ streamOnPost: true });
    await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
    expect(await host.connect("web")).toMatchObject({ transport: "sse" });
    expect(await host.call("web", "echo", { text: "hi" })).toMatchObject({ text: "hi" });
  });
});

describe("the most informative error is shown", () => {
  const refuse =
    (get: number, post: number): RawAnswer =>
    ({ verb }, response) => {
      response.writeHead(verb === "GET" ? get : post).end();
      return true;
    };

  test.each([
    ["sign in", 405, 401, "AUTH_REQUIRED", "HTTP 401"],
    ["sign in, on the other side", 401, 404, "AUTH_REQUIRED", "HTTP 401"],
    ["the refused credentials", 405, 403, "REQUEST_REFUSED", "HTTP 403"],
    ["the server's own trouble", 404, 500, "CONNECT_FAILED", "HTTP 500"],
  ])("%s", async (_, get, post, code, words) => {
    await using sandbox = await createSandbox();
    await using server = await serveRaw({ answer: refuse(get, post) });
    for (const type of KINDS) {
      await using host = await hostIn(sandbox, { servers: { web: { type, url: server.url } } });
      expect(await failureOf(host.connect("web"))).toMatchObject({
        code,
        message: expect.stringContaining(words),
      });
    }
  });

  test("a server that understood and refused is not tried with another transport", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveRaw({
      answer({ message }, response) {
        if (message?.["method"] !== "initialize") return false;
        const error = { code: -32_000, message: "licence expired" };
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id: message["id"], error }));
        return true;
      },
    });
    await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
    expect(await failureOf(host.connect("web"))).toMatchObject({
      code: "CONNECT_FAILED",
      message: 'Failed to connect to "web": the server returned an error: licence expired',
    });
    expect(server.count("GET")).toBe(0);
  });

  test("a web page is reported as not being an MCP server", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveRaw({
      answer(_, response) {
        response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome to the café</h1>");
        return true;
      },
    });
    await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
    expect(await failureOf(host.connect("web"))).toMatchObject({
      code: "CONNECT_FAILED",
      message: `Failed to connect to "web": ${server.url} is not an MCP server: it returned text/html instead of JSON or an event stream`,
      hint: "Check that the url is the server's MCP endpoint.",
    });
  });
});

test("servers over stdio, HTTP and SSE work side by side in one host", async () => {
  await using sandbox = await createSandbox();
  await using http = await startHttpServer();
  await using sse = await serveSse({});
  const servers = {
    local: stdioServer("raw-server.mjs"),
    http: { type: "http", url: http.url },
    sse: { type: "sse", url: sse.url },
  } as const;
  await using host = await hostIn(sandbox, { servers });
  const calls = Object.keys(servers).map((name) => host.call(name, "echo", { text: `from ${name}` }));
  expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(["from local", "from http", "from sse"]);
});

test("the headers of an SSE server are sent with its stream and with every message", async () => {
  await using sandbox = await createSandbox();
  await using server = await serveSse({});
  const servers = { web: { type: "sse", url: server.url, headers: { "X-Key": "secret-key-1" } } } as const;
  await using host = await hostIn(sandbox, { servers });
  expect(await host.call("web", "echo", { text: "hi" })).toMatchObject({ text: "hi" });
  expect(server.methods()).toContain("tools/call");
  expect(server.asked.map(({ headers }) => headers["x-key"])).toEqual(server.asked.map(() => "secret-key-1"));
});

test("an SSE server that names an endpoint on another origin gets no messages", async () => {
  await using sandbox = await createSandbox();
  await using elsewhere = await serveRaw();
  await using server = await serveSse({ endpoint: elsewhere.url });
  const servers = { web: { type: "sse", url: server.url, headers: { "x-key": "secret-key-1" } } } as const;
  await using host = await hostIn(sandbox, { servers });
  await failureOf(host.connect("web"));
  expect(elsewhere.asked).toEqual([]);
});

/** A minimal SSE server of 2024-11-05. */
async function serveSse(options: { streamOnPost?: boolean; endpoint?: string }): Promise<RawHttp> {
  let push: (text: string) => void = () => {};
  return serveRaw({
    answer({ verb, path, message }, response) {
      const isStream = path === "/mcp" && (verb === "GET" || options.streamOnPost === true);
      if (isStream) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`event: endpoint\ndata: ${options.endpoint ?? "/messages"}\n\n`);
        push = (text) => void response.write(`data: ${text}\n\n`);
      } else {
        response.writeHead(path === "/messages" ? 202 : 404).end();
        if (message?.["id"] !== undefined && path === "/messages")
          push(JSON.stringify({ jsonrpc: "2.0", id: message["id"], ...outcomeOf(message) }));
      }
      return true;
    },
  });
}
