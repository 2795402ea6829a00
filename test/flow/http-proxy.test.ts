import { expect, test } from "vitest";
import { serveRaw } from "../support/raw-http.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startProxy } from "../support/start-proxy.ts";
import { startSseServer } from "../support/test-servers.ts";
import { failureOf, hostIn } from "./host-in.ts";

test("a proxy in the environment gets the whole URL and its own credentials", async () => {
  await using sandbox = await createSandbox();
  await using server = await serveRaw();
  await using proxy = await startProxy();
  const env = { ...sandbox.env(), http_proxy: `http://me:p%40ss@127.0.0.1:${proxy.port}` };
  const url = `http://mcp.test:${server.port}/mcp`;
  const servers = { web: { type: "http", url, headers: { "x-key": "secret-key-1" } } } as const;
  await using host = await hostIn(sandbox, { env, servers });
  expect(await host.call("web", "echo", { text: "through" })).toMatchObject({ text: "through" });
  expect(new Set(proxy.asked)).toEqual(new Set([`POST ${url}`, `GET ${url}`]));
  expect(new Set(proxy.credentials)).toEqual(new Set([`Basic ${Buffer.from("me:p@ss").toString("base64")}`]));
  expect(server.asked[0]?.headers).toMatchObject({
    host: `mcp.test:${server.port}`,
    "x-key": "secret-key-1",
  });
});

test("the stream of an SSE server also uses the proxy", async () => {
  await using sandbox = await createSandbox();
  await using server = await startSseServer();
  await using proxy = await startProxy();
  const env = { ...sandbox.env(), HTTP_PROXY: `127.0.0.1:${proxy.port}` };
  const url = server.url.replace("127.0.0.1", "mcp.test");
  await using host = await hostIn(sandbox, { env, servers: { web: { type: "sse", url } } });
  expect(await host.call("web", "echo", { message: "hi" })).toMatchObject({ text: "Echo: hi" });
  expect(proxy.asked[0]).toBe(`GET ${url}`);
});

test("hosts in NO_PROXY and this machine are reached directly", async () => {
  await using sandbox = await createSandbox();
  await using server = await serveRaw();
  await using proxy = await startProxy();
  const env = { ...sandbox.env(), ALL_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: ".invalid" };
  const servers = {
    local: { type: "http", url: server.url },
    excepted: { type: "http", url: "http://nobody.invalid/mcp" },
  } as const;
  await using host = await hostIn(sandbox, { env, servers });
  expect(await host.call("local", "echo", { text: "direct" })).toMatchObject({ text: "direct" });
  expect(await failureOf(host.connect("excepted"))).toMatchObject({ code: "CONNECT_UNREACHABLE" });
  expect(proxy.asked).toEqual([]);
});

test.each([
  ["http", 407, "requires credentials (HTTP 407)"],
  ["https", 407, "requires credentials (HTTP 407)"],
  ["https", 403, "refused to connect (HTTP 403)"],
])("a proxy that refuses %s with %i is named, without its password", async (scheme, status, words) => {
  await using sandbox = await createSandbox();
  await using proxy = await startProxy({ refuse: status });
  const env = { ...sandbox.env(), all_proxy: `http://me:hunter2hunter2@127.0.0.1:${proxy.port}` };
  const servers = { web: { type: "http", url: `${scheme}://mcp.test/mcp` } } as const;
  await using host = await hostIn(sandbox, { env, servers });
  expect(await failureOf(host.connect("web"))).toEqual({
    code: "CONNECT_UNREACHABLE",
    message: `Failed to connect to "web": the proxy http://127.0.0.1:${proxy.port} ${words}`,
    hint: "Check HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY.",
    server: "web",
  });
});

test.each([
  ["nobody answers at", "http://127.0.0.1:9", "http://127.0.0.1:9 cannot be reached (ECONNREFUSED)"],
  [
    "is of another kind",
    "socks5://me:pw@127.0.0.1:9",
    "socks5://127.0.0.1:9 is not supported; use an http or https proxy",
  ],
  ["is none", "http://[", "in the environment is not a valid URL"],
])("a proxy that %s makes the connection fail and is not bypassed", async (_, all_proxy, words) => {
  await using sandbox = await createSandbox();
  await using server = await serveRaw();
  for (const scheme of ["http", "https"]) {
    const servers = { web: { type: "http", url: `${scheme}://mcp.test:${server.port}/mcp` } } as const;
    await using host = await hostIn(sandbox, { env: { ...sandbox.env(), all_proxy }, servers });
    expect(await failureOf(host.connect("web"))).toMatchObject({
      code: "CONNECT_UNREACHABLE",
      message: `Failed to connect to "web": the proxy ${words}`,
    });
  }
  expect(server.asked).toEqual([]);
});
