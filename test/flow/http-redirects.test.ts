import { expect, test } from "vitest";
import { type RawAnswer, serveRaw } from "../support/raw-http.ts";
import { createSandbox } from "../support/sandbox.ts";
import { failureOf, hostIn } from "./host-in.ts";

const HEADERS = { authorization: "Bearer do-not-pass-on", "x-key": "secret-key-1" };

const redirectTo =
  (status: number, target: (path: string) => string | undefined): RawAnswer =>
  ({ path }, response) => {
    const location = target(path);
    if (location === undefined) return false;
    response.writeHead(status, { location }).end();
    return true;
  };

test.each([307, 308])(
  "a redirect by %i within the origin is followed with method, body and headers",
  async (status) => {
    await using sandbox = await createSandbox();
    await using server = await serveRaw({
      answer: redirectTo(status, (path) => (path === "/mcp" ? "/mcp/" : undefined)),
    });
    const servers = { web: { type: "http", url: server.url, headers: HEADERS } } as const;
    await using host = await hostIn(sandbox, { servers });
    expect(await host.call("web", "echo", { text: "moved" })).toMatchObject({ text: "moved" });
    const calls = server.asked.filter(({ message }) => message?.["method"] === "tools/call");
    expect(calls.map(({ verb, path, headers }) => [verb, path, headers["x-key"]])).toEqual([
      ["POST", "/mcp", "secret-key-1"],
      ["POST", "/mcp/", "secret-key-1"],
    ]);
  },
);

test.each([301, 302, 303, 307, 308])("a redirect by %i to another origin is not followed", async (status) => {
  await using sandbox = await createSandbox();
  await using elsewhere = await serveRaw();
  await using server = await serveRaw({ answer: redirectTo(status, () => `${elsewhere.url}?token=abc`) });
  for (const type of ["http", "sse"] as const) {
    const servers = { web: { type, url: server.url, headers: HEADERS } };
    await using host = await hostIn(sandbox, { servers });
    expect(await failureOf(host.connect("web"))).toEqual({
      code: "CONNECT_FAILED",
      message: `Failed to connect to "web": ${server.url} redirects to ${elsewhere.url}?token=[secret] (HTTP ${status}), which is not followed`,
      hint: `If you trust that address, set it as "url" in the server's entry.`,
      server: "web",
    });
  }
  expect(elsewhere.asked).toEqual([]);
});

test.each([301, 302, 303])(
  "a redirect by %i that would turn POST into GET is not followed",
  async (status) => {
    await using sandbox = await createSandbox();
    await using server = await serveRaw({
      answer: redirectTo(status, (path) => (path === "/mcp" ? "/mcp/" : undefined)),
    });
    await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
    expect(await failureOf(host.connect("web"))).toMatchObject({
      code: "CONNECT_FAILED",
      message: expect.stringContaining(`redirects to ${server.url}/ (HTTP ${status})`),
    });
  },
);

/** Schemes whose URLs contain another URL, or no host. */
const OTHER_SCHEMES = [
  (origin: string) => `blob:${origin}/mcp`,
  (origin: string) => origin.replace("http:", "ws:"),
  () => "file:///etc/hosts",
  () => "data:application/json,{}",
];

test.each(OTHER_SCHEMES)("a redirect to another scheme is not followed (%#)", async (target) => {
  await using sandbox = await createSandbox();
  let own = "";
  await using server = await serveRaw({ answer: redirectTo(307, () => target(own)) });
  own = new URL(server.url).origin;
  for (const type of ["http", "sse"] as const) {
    const servers = { web: { type, url: server.url, headers: HEADERS } };
    await using host = await hostIn(sandbox, { servers });
    expect(await failureOf(host.connect("web"))).toMatchObject({
      code: "CONNECT_FAILED",
      message: expect.stringContaining("which is not followed"),
    });
  }
});

test.each(OTHER_SCHEMES)(
  "a legacy server cannot have messages sent to another scheme (%#)",
  async (target) => {
    await using sandbox = await createSandbox();
    let own = "";
    await using server = await serveRaw({
      answer: ({ verb }, response) => {
        if (verb !== "GET") response.writeHead(404).end();
        else {
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.write(`event: endpoint\ndata: ${target(own)}\n\n`);
        }
        return true;
      },
    });
    own = new URL(server.url).origin;
    const servers = { web: { type: "sse", url: server.url, headers: HEADERS } } as const;
    await using host = await hostIn(sandbox, { servers });
    expect(await failureOf(host.connect("web"))).toMatchObject({
      code: "CONNECT_FAILED",
      message: expect.stringContaining("on the same origin"),
    });
  },
);

test("a url whose scheme is changed by a value is not connected to", async () => {
  await using sandbox = await createSandbox();
  await using server = await serveRaw();
  const servers = { web: { type: "http", url: `\${SCHEME:-blob}:${server.url}` } } as const;
  await using host = await hostIn(sandbox, { servers });
  expect(await failureOf(host.connect("web"))).toMatchObject({ message: expect.stringContaining("URL") });
  expect(server.asked).toEqual([]);
});

test("a redirect loop ends with an error", async () => {
  await using sandbox = await createSandbox();
  await using server = await serveRaw({ answer: redirectTo(307, () => "/mcp") });
  await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
  expect(await failureOf(host.connect("web"))).toMatchObject({ code: "CONNECT_FAILED" });
  expect(server.count("server/discover")).toBe(4);
});
