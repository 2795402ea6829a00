import { describe, expect, test } from "vitest";
import type { Session } from "../../src/index.ts";
import { serveHttp } from "../../src/testing/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { eventsOf, hostIn, PATIENTLY } from "./host-in.ts";

const tools = (...names: readonly string[]) => ({
  name: "scripted",
  version: "1.0.0",
  tools: Object.fromEntries(names.map((name) => [name, { run: () => `this is ${name}` }])),
});

const COLLIDING = ["read.1", "read-1"] as const;

test("tools that would share a name all get a hash, and the collision is reported", async () => {
  await using sandbox = await createSandbox();
  await using one = await serveHttp(tools(...COLLIDING));
  await using host = await hostIn(sandbox, { servers: { a: { type: "http", url: one.url } } });
  const events = eventsOf(host);
  const offered = await host.tools(PATIENTLY);
  expect(offered.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^mcp_a_read_1_[0-9a-f]{8}$/),
    expect.stringMatching(/^mcp_a_read_1_[0-9a-f]{8}$/),
  ]);
  const answers = await Promise.all(offered.map(async (tool) => [tool.tool, (await tool.execute({})).text]));
  expect(Object.fromEntries(answers)).toEqual({
    "read.1": "this is read.1",
    "read-1": "this is read-1",
  });
  const reported = ["read-1", "read.1"].map((tool) => ({
    code: "name-collision",
    server: "a",
    message: expect.stringMatching(new RegExp(`^tool "${tool}" of "a" would have the same name as "read`)),
  }));
  await host.tools(PATIENTLY);
  expect(host.snapshot().problems).toMatchObject(reported);
  expect(events.filter(({ type }) => type === "problem")).toMatchObject(
    reported.map((problem) => ({ problem })),
  );
});

test("servers whose names become the same keep their tools", async () => {
  await using sandbox = await createSandbox();
  await using one = await serveHttp(tools("read"));
  const entry = { type: "http" as const, url: one.url };
  await using host = await hostIn(sandbox, { servers: { "my.server": entry, "my-server": entry } });
  const offered = await host.tools(PATIENTLY);
  expect(new Set(offered.map(({ server }) => server))).toEqual(new Set(["my-server", "my.server"]));
  for (const tool of offered) {
    expect(tool.name).toMatch(/^mcp_my_server_read_[0-9a-f]{8}$/);
    expect(await tool.execute({})).toMatchObject({ text: "this is read" });
  }
});

test("digits are kept, except in the style of the seeds", async () => {
  await using sandbox = await createSandbox();
  await using one = await serveHttp(tools("sha256", "sha512"));
  const servers = { a1: { type: "http" as const, url: one.url } };
  await using host = await hostIn(sandbox, { servers });
  expect((await host.tools(PATIENTLY)).map(({ name }) => name)).toEqual(["mcp_a1_sha256", "mcp_a1_sha512"]);
  expect((await host.session({ naming: "seeds" }).tools(PATIENTLY)).map(({ name }) => name)).toEqual([
    expect.stringMatching(/^mcp_a_sha_[0-9a-f]{8}$/),
    expect.stringMatching(/^mcp_a_sha_[0-9a-f]{8}$/),
  ]);
});

describe("a tool's name never refers to another tool", () => {
  /** Returns the names that a new host gives to the tools of these servers, as another process would. */
  const namesIn = async (
    sandbox: Sandbox,
    servers: Record<string, string>,
  ): Promise<Record<string, string>> => {
    const entries = Object.entries(servers).map(([name, url]) => [name, { type: "http" as const, url }]);
    await using host = await hostIn(sandbox, { servers: Object.fromEntries(entries) });
    const offered = await host.session().tools(PATIENTLY);
    return Object.fromEntries(offered.map(({ server, tool, name }) => [`${server} ${tool}`, name]));
  };

  test("if the other tool appears in a later process", async () => {
    await using sandbox = await createSandbox();
    await using one = await serveHttp(tools("delete v2"));
    await using two = await serveHttp(tools("delete-v2"));
    const first = await namesIn(sandbox, { a: one.url });
    const second = await namesIn(sandbox, { a: two.url });
    const third = await namesIn(sandbox, { a: one.url });
    expect([first, second, third]).toEqual([
      { "a delete v2": "mcp_a_delete_v2" },
      { "a delete-v2": expect.stringMatching(/^mcp_a_delete_v2_[0-9a-f]{8}$/) },
      { "a delete v2": expect.stringMatching(/^mcp_a_delete_v2_[0-9a-f]{8}$/) },
    ]);
  });

  test("if only one of two tools that shared it is left", async () => {
    await using sandbox = await createSandbox();
    await using both = await serveHttp(tools(...COLLIDING));
    await using left = await serveHttp(tools("read.1"));
    const together = await namesIn(sandbox, { a: both.url });
    expect(await namesIn(sandbox, { a: left.url })).toEqual({ "a read.1": together["a read.1"] });
  });

  test("in a new session of the same host, while an earlier session keeps its names", async () => {
    await using sandbox = await createSandbox();
    await using one = await serveHttp(tools("read.1"));
    await using two = await serveHttp(tools("read-1"));
    const entries = {
      a: { type: "http" as const, url: one.url },
      A: { type: "http" as const, url: two.url },
    };
    await using host = await hostIn(sandbox, { servers: entries });
    const early = host.session({ servers: ["a"] });
    const nameOf = async (session: Session, server: string) =>
      (await session.tools(PATIENTLY)).find((tool) => tool.server === server)?.name;
    expect(await nameOf(early, "a")).toBe("mcp_a_read_1");
    const hashed = expect.stringMatching(/^mcp_a_read_1_[0-9a-f]{8}$/);
    const later = host.session();
    expect([await nameOf(later, "a"), await nameOf(later, "A")]).toEqual([hashed, hashed]);
    expect(await nameOf(early, "a")).toBe("mcp_a_read_1");
    const continued = host.session({ continues: early });
    expect([await nameOf(continued, "a"), await nameOf(continued, "A")]).toEqual(["mcp_a_read_1", hashed]);
  });

  test("and a model that uses a shared name learns which tools it may mean", async () => {
    await using sandbox = await createSandbox();
    await using both = await serveHttp(tools(...COLLIDING));
    await using host = await hostIn(sandbox, { servers: { a: { type: "http", url: both.url } } });
    const session = host.session({ mode: "meta" });
    const call = (await session.tools(PATIENTLY)).find(({ name }) => name === "mcp_call_tool");
    const offered = await host.tools(PATIENTLY);
    const result = await call?.execute({ name: "mcp_a_read_1", arguments: {} });
    expect(result?.isError).toBe(true);
    for (const { name, tool } of offered) expect(result?.text).toContain(`${name} ("${tool}" of "a")`);
  });

  test("but only within the process if the state folder is not writable, which is reported", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".local/state/plugboard", "a file where the folder should be");
    await using one = await serveHttp(tools("read.1"));
    await using two = await serveHttp(tools("read-1"));
    await namesIn(sandbox, { a: one.url });
    await using host = await hostIn(sandbox, { servers: { a: { type: "http", url: two.url } } });
    expect(await host.tools(PATIENTLY)).toMatchObject([
      { name: expect.stringMatching(/^mcp_a_read_1_[0-9a-f]{8}$/) },
    ]);
    expect(host.snapshot().problems).toContainEqual(
      expect.objectContaining({ code: "state-unwritable", severity: "warning" }),
    );
  });
});

test("a session's own naming style takes precedence over the setting", async () => {
  await using sandbox = await createSandbox();
  await using one = await serveHttp(tools("readFile"));
  const servers = { "my-files": { type: "http" as const, url: one.url } };
  await using host = await hostIn(sandbox, { servers, settings: { naming: "plain" } });
  const names = await Promise.all(
    [host.session(), host.session({ naming: "claude" }), host.session({ naming: "seeds" })].map(
      async (session) => (await session.tools(PATIENTLY)).map(({ name }) => name),
    ),
  );
  expect(names).toEqual([["my-files_readFile"], ["mcp__my-files__readFile"], ["mcp_my_files_readfile"]]);
});

test("a session with selected servers does not use the others", async () => {
  await using sandbox = await createSandbox();
  await using one = await serveHttp(tools("read"));
  await using host = await hostIn(sandbox, {
    servers: { a: { type: "http", url: one.url }, other: { command: "no-such-program" } },
  });
  const events = eventsOf(host);
  expect(await host.session({ servers: ["a"] }).tools(PATIENTLY)).toHaveLength(1);
  expect(events.flatMap((event) => (event.type === "server.state" ? event.server : []))).not.toContain(
    "other",
  );
});
