import { describe, expect, test } from "vitest";
import type { CallRequest, RemoteServerOptions, ServerOptions } from "../../src/index.ts";
import { type ServeHttpOptions, type ServerScript, serveHttp } from "../../src/testing/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { eventually, failureOf, hostIn, PATIENTLY } from "./host-in.ts";

const SCRIPT: ServerScript = {
  name: "scripted",
  version: "1.0.0",
  tools: {
    read: { run: () => "read it", annotations: { readOnlyHint: true } },
    write: { run: () => "wrote it" },
    delete: { run: () => "deleted it" },
  },
};
const namesOf = (tools: readonly { readonly tool: string }[]) => tools.map(({ tool }) => tool);

/** A server that counts its requests. */
async function countingServer() {
  let requests = 0;
  const count: ServeHttpOptions = {
    guard: () => {
      requests += 1;
      return undefined;
    },
  };
  const server = await serveHttp(SCRIPT, count);
  const entry = (rules: Partial<RemoteServerOptions>): ServerOptions => ({
    type: "http",
    url: server.url,
    ...rules,
  });
  return { entry, requests: () => requests, url: server.url, [Symbol.asyncDispose]: () => server.close() };
}

describe("the tools that may be used", () => {
  test("are the same when they are listed and when they are called in any way", async () => {
    await using sandbox = await createSandbox();
    await using server = await countingServer();
    const servers = { repo: server.entry({ allowTools: ["read", "w*", "delete"], denyTools: ["delete"] }) };
    await using host = await hostIn(sandbox, { servers });
    expect(namesOf(await host.tools(PATIENTLY))).toEqual(["read", "write"]);
    expect(namesOf(await host.tools("repo"))).toEqual(["read", "write"]);
    expect(namesOf(await host.session().tools(PATIENTLY))).toEqual(["read", "write"]);
    expect(await host.call("repo", "write")).toMatchObject({ text: "wrote it" });
    expect(await failureOf(host.call("repo", "delete"))).toEqual({
      code: "TOOL_DENIED",
      message: 'Tool "delete" of "repo" may not be used: "denyTools" of its entry contains "delete".',
      server: "repo",
    });
  });

  test("are checked before anything connects: a denied call and an untrusted server without a list are refused", async () => {
    await using sandbox = await createSandbox();
    await using server = await countingServer();
    const servers = { a: server.entry({ denyTools: ["*"] }), b: server.entry({ trust: "untrusted" }) };
    await using host = await hostIn(sandbox, { servers });
    expect((await failureOf(host.call("a", "read"))).code).toBe("TOOL_DENIED");
    expect((await failureOf(host.call("b", "read"))).code).toBe("TOOL_DENIED");
    expect((await failureOf(host.tools("b"))).code).toBe("TOOL_DENIED");
    expect(await host.session({ servers: ["b"] }).tools(PATIENTLY)).toEqual([]);
    expect(server.requests()).toBe(0);
    expect(host.snapshot().problems).toMatchObject([{ code: "tool-denied", server: "b" }]);
  });

  test("are the only ones that are suggested", async () => {
    await using sandbox = await createSandbox();
    await using server = await countingServer();
    await using host = await hostIn(sandbox, { servers: { repo: server.entry({ denyTools: ["delete"] }) } });
    const { hint } = await failureOf(host.call("repo", "delet"));
    expect(hint).toBe("It offers read, write.");
  });
});

describe("bundles", () => {
  const config = (url: string) => ({
    mcpServers: {
      repo: { type: "http", url },
      wild: { type: "http", url, trust: "untrusted" },
    },
    bundles: {
      readers: { serverId: "repo", allowTools: ["read", "write"] },
      writers: { serverId: "repo", allowTools: ["write", "delete"] },
      deleters: { serverId: "repo", allowTools: ["delete"] },
      tamed: { serverId: "wild", mode: "direct", allowTools: ["read"] },
      empty: { serverId: "repo", allowTools: [] },
    },
  });

  test("give an agent the tools that all of them allow, from their servers only", async () => {
    await using sandbox = await createSandbox();
    await using server = await countingServer();
    await sandbox.writeHome(".plugboard/mcp.json", config(server.url));
    await using host = await hostIn(sandbox);
    const tools = async (...bundles: readonly string[]) =>
      (await host.session({ bundles }).tools(PATIENTLY)).map(({ server: name, tool }) => `${name}.${tool}`);
    expect(await tools("readers")).toEqual(["repo.read", "repo.write"]);
    expect(await tools("readers", "writers")).toEqual(["repo.write"]);
    expect(await tools("readers", "writers", "deleters")).toEqual([]);
    expect(await tools("tamed")).toEqual(["wild.read"]);
    expect(await tools("readers", "tamed")).toEqual(["repo.read", "repo.write", "wild.read"]);
    expect(await tools("empty")).toEqual([]);
    expect(await tools()).toEqual([]);
    expect(host.snapshot().problems).toMatchObject([
      { code: "field-type", message: expect.stringContaining('"empty"') },
    ]);
  });

  test("can be defined for one session, and also apply to calls through search tools", async () => {
    await using sandbox = await createSandbox();
    await using server = await countingServer();
    await using host = await hostIn(sandbox, {
      servers: { repo: server.entry({}), other: server.entry({}) },
    });
    const bundles = [{ server: "repo", denyTools: ["delete"] }] as const;
    const session = host.session({ bundles });
    expect(namesOf(await session.tools(PATIENTLY))).toEqual(["read", "write"]);
    const meta = host.session({ bundles, mode: "meta" });
    const call = (await meta.tools(PATIENTLY)).find(({ name }) => /call/.test(name));
    const { text = "" } = (await call?.execute({ name: "mcp_repo_delete", arguments: {} })) ?? {};
    expect(text).toMatch(/error/i);
    expect(text).not.toContain("deleted it");
  });

  test("also apply to calls: an agent's tool cannot reach what its bundles exclude", async () => {
    await using sandbox = await createSandbox();
    await using server = await countingServer();
    await sandbox.writeHome(".plugboard/mcp.json", config(server.url));
    await using host = await hostIn(sandbox);
    const [read] = await host.session({ bundles: ["tamed"] }).tools(PATIENTLY);
    expect(await read?.execute({})).toMatchObject({ text: "read it" });
    expect((await failureOf(host.call("wild", "read"))).code).toBe("TOOL_DENIED");
  });

  test("that become stricter remove tools from agents, and refuse calls to tools that agents still have", async () => {
    await using sandbox = await createSandbox();
    await using server = await countingServer();
    await sandbox.writeHome(".plugboard/mcp.json", config(server.url));
    await using host = await hostIn(sandbox);
    const session = host.session({ bundles: ["readers"] });
    const [, write] = await session.tools(PATIENTLY);
    expect(await write?.execute({})).toMatchObject({ text: "wrote it" });
    const narrower = config(server.url);
    narrower.bundles.readers.allowTools = ["read"];
    await sandbox.writeHome(".plugboard/mcp.json", narrower);
    await host.reload();
    expect(await write?.execute({})).toMatchObject({
      isError: true,
      text: expect.stringContaining("does not include it"),
    });
    await eventually(() => expect(namesOf(session.snapshot().tools)).toEqual(["read"]));
  });

  test("are reported if they are unknown", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox);
    expect(await failureOf(host.session({ bundles: ["no"] }).tools(PATIENTLY))).toMatchObject({
      code: "BUNDLE_UNKNOWN",
      message: 'Unknown bundle "no".',
    });
  });

  test("of a project are part of the approval: a change requires approval again", async () => {
    await using sandbox = await createSandbox();
    await using server = await countingServer();
    const file = ".plugboard/mcp.json";
    await sandbox.writeProject(file, config(server.url));
    await using host = await hostIn(sandbox);
    await host.approvals.approve("wild", host.approvals.request("wild").hash);
    expect(namesOf(await host.session({ bundles: ["tamed"] }).tools(PATIENTLY))).toEqual(["read"]);
    const wider = config(server.url);
    wider.bundles.tamed.allowTools = ["*"];
    await sandbox.writeProject(file, wider);
    await host.reload();
    expect(host.approvals.request("wild")).toMatchObject({
      status: "changed",
      changes: [{ field: "bundles" }],
    });
    expect(await host.session({ bundles: ["tamed"] }).tools(PATIENTLY)).toEqual([]);
  });

  test("of a project affect neither the user's own servers nor the user's bundle with the same name", async () => {
    await using sandbox = await createSandbox();
    await using server = await countingServer();
    await sandbox.writeHome(".plugboard/mcp.json", config(server.url));
    await sandbox.writeProject(".plugboard/mcp.json", {
      mcpServers: {},
      bundles: {
        tamed: { serverId: "wild", allowTools: ["*"] },
        opener: { serverId: "wild", allowTools: ["*"] },
      },
    });
    await using host = await hostIn(sandbox);
    expect(namesOf(await host.session({ bundles: ["tamed"] }).tools(PATIENTLY))).toEqual(["read"]);
    expect(await host.session({ bundles: ["opener"] }).tools(PATIENTLY)).toEqual([]);
  });
});

describe("a call that requires approval", () => {
  test("is marked, fails immediately without a handler, and is made after approval", async () => {
    await using sandbox = await createSandbox();
    await using server = await countingServer();
    const servers = { repo: server.entry({ approval: "ask-writes" }) };
    await using lonely = await hostIn(sandbox, { servers });
    expect((await lonely.tools(PATIENTLY)).map(({ tool, approval }) => [tool, approval])).toEqual([
      ["delete", "ask"],
      ["read", "allow"],
      ["write", "ask"],
    ]);
    const refused = await failureOf(lonely.call("repo", "write"));
    expect(refused).toMatchObject({
      code: "INTERACTION_REQUIRED",
      message: expect.stringContaining("needs your approval"),
    });
    expect(await lonely.call("repo", "read")).toMatchObject({ text: "read it" });
    expect(await lonely.call("repo", "write", {}, { approved: true })).toMatchObject({ text: "wrote it" });

    const asked: CallRequest[] = [];
    const onCall = (request: CallRequest): boolean => {
      asked.push(request);
      return request.tool === "write";
    };
    await using host = await hostIn(sandbox, { servers, onCall });
    expect(await host.call("repo", "write", { path: "a" })).toMatchObject({ text: "wrote it" });
    expect((await failureOf(host.call("repo", "delete"))).message).toContain("was not approved");
    expect(asked.map(({ tool, args }) => ({ tool, args }))).toEqual([
      { tool: "write", args: { path: "a" } },
      { tool: "delete", args: {} },
    ]);

    await using forbidding = await hostIn(sandbox, { servers, interaction: "forbid", onCall });
    expect((await failureOf(forbidding.call("repo", "write"))).message).toContain("needs your approval");
    expect(asked).toHaveLength(2);
  });

  test("is explained to an agent", async () => {
    await using sandbox = await createSandbox();
    await using server = await countingServer();
    await using host = await hostIn(sandbox, {
      servers: { repo: server.entry({ approval: { write: "ask" } }) },
    });
    const write = (await host.tools(PATIENTLY)).find(({ tool }) => tool === "write");
    expect(await write?.execute({})).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^MCP error: The call to "write" of "repo" needs your approval/),
    });
  });
});
