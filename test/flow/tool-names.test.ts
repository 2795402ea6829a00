import { expect, test } from "vitest";
import { serveHttp } from "../../src/testing/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { eventsOf, hostIn } from "./host-in.ts";

const tools = (...names: readonly string[]) => ({
  name: "scripted",
  version: "1.0.0",
  tools: Object.fromEntries(names.map((name) => [name, { run: () => `this is ${name}` }])),
});

test("tools that would have one name are all offered, and the collision is told", async () => {
  await using sandbox = await createSandbox();
  await using one = await serveHttp(tools("read1", "read2"));
  await using host = await hostIn(sandbox, { servers: { a: { type: "http", url: one.url } } });
  const events = eventsOf(host);
  const offered = await host.tools();
  expect(offered.map(({ name, tool }) => [tool, name])).toEqual([
    ["read1", "mcp_a_read"],
    ["read2", expect.stringMatching(/^mcp_a_read_[0-9a-f]{8}$/)],
  ]);
  expect(await Promise.all(offered.map(async (tool) => (await tool.execute({})).text))).toEqual([
    "this is read1",
    "this is read2",
  ]);
  const told = { code: "name-collision", server: "a", message: expect.stringContaining('"read2"') };
  await host.tools();
  expect(host.snapshot().problems).toMatchObject([told]);
  expect(events.filter(({ type }) => type === "problem")).toMatchObject([{ problem: told }]);
});

test("servers whose names become the same keep their tools", async () => {
  await using sandbox = await createSandbox();
  await using one = await serveHttp(tools("read"));
  const entry = { type: "http" as const, url: one.url };
  await using host = await hostIn(sandbox, { servers: { "my.server": entry, "my-server": entry } });
  const offered = await host.tools();
  expect(offered.map(({ server, name }) => [server, name])).toEqual([
    ["my-server", "mcp_my_server_read"],
    ["my.server", expect.stringMatching(/^mcp_my_server_read_[0-9a-f]{8}$/)],
  ]);
  for (const tool of offered) expect(await tool.execute({})).toMatchObject({ text: "this is read" });
});

test("a session names its tools in the style it asks for, the settings those of the others", async () => {
  await using sandbox = await createSandbox();
  await using one = await serveHttp(tools("readFile"));
  const servers = { "my-files": { type: "http" as const, url: one.url } };
  await using host = await hostIn(sandbox, { servers, settings: { naming: "plain" } });
  const names = await Promise.all(
    [host.session(), host.session({ naming: "claude" }), host.session({ naming: "seeds" })].map(
      async (session) => (await session.tools()).map(({ name }) => name),
    ),
  );
  expect(names).toEqual([["my-files_readFile"], ["mcp__my-files__readFile"], ["mcp_my_files_readfile"]]);
});

test("a session of some servers touches no others", async () => {
  await using sandbox = await createSandbox();
  await using one = await serveHttp(tools("read"));
  await using host = await hostIn(sandbox, {
    servers: { a: { type: "http", url: one.url }, other: { command: "no-such-program" } },
  });
  const events = eventsOf(host);
  expect(await host.session({ servers: ["a"] }).tools()).toHaveLength(1);
  expect(events.flatMap((event) => (event.type === "server.state" ? event.server : []))).not.toContain(
    "other",
  );
});
