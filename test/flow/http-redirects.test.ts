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
  "a redirect by %i would turn a message into a question, and is not followed",
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

test("redirects in circles are given up", async () => {
  await using sandbox = await createSandbox();
  await using server = await serveRaw({ answer: redirectTo(307, () => "/mcp") });
  await using host = await hostIn(sandbox, { servers: { web: { type: "http", url: server.url } } });
  expect(await failureOf(host.connect("web"))).toMatchObject({ code: "CONNECT_FAILED" });
  expect(server.count("server/discover")).toBe(4);
});
