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

/** A server that counts who asks. */
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

describe("what may be used", () => {
  test("is what is listed, and what can be called, by every way to it", async () => {
    await using sandbox = await createSandbox();
    await using server = await countingServer();
    const servers = { repo: server.entry({ allowTools: ["read", "w*", "delete"], denyTools: ["delete"] }) };
    await using host = await hostIn(sandbox, { servers });
    expect(namesOf(await host.tools(undefined, PATIENTLY))).toEqual(["read", "write"]);
    expect(namesOf(await host.tools("repo"))).toEqual(["read", "write"]);
    expect(namesOf(await host.session().tools(PATIENTLY))).toEqual(["read", "write"]);
    expect(await host.call("repo", "write")).toMatchObject({ text: "wrote it" });
    expect(await failureOf(host.call("repo", "delete"))).toEqual({
      code: "TOOL_DENIED",
      message: 'Tool "delete" of "repo" may not be used: "denyTools" of its entry contains "delete".',
      server: "repo",
    });
  });

  test("a denied call and an untrusted server without a list are refused before anything connects", async () => {
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

  test("a suggestion never names a tool that may not be used", async () => {
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

  test("give an agent what all of them allow, of their servers only", async () => {
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

  test("hold for calls too: a tool of an agent cannot be used for what its bundles leave out", async () => {
    await using sandbox = await createSandbox();
    await using server = await countingServer();
    await sandbox.writeHome(".plugboard/mcp.json", config(server.url));
    await using host = await hostIn(sandbox);
    const [read] = await host.session({ bundles: ["tamed"] }).tools(PATIENTLY);
    expect(await read?.execute({})).toMatchObject({ text: "read it" });
    expect((await failureOf(host.call("wild", "read"))).code).toBe("TOOL_DENIED");
  });

  test("that allow less from now on take their tools from agents, and refuse the calls of those that hold them still", async () => {
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

  test("one that is not there is told", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox);
    expect(await failureOf(host.session({ bundles: ["no"] }).tools(PATIENTLY))).toMatchObject({
      code: "BUNDLE_UNKNOWN",
      message: 'Unknown bundle "no".',
    });
  });

  test("of a project belong to what is approved: a change of them asks again", async () => {
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

  test("of a project have no say over a person's own servers, nor take the name of a person's own bundle", async () => {
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

describe("a call that a person is asked for", () => {
  test("is marked, fails at once where there is nobody, and is made when they agree", async () => {
    await using sandbox = await createSandbox();
    await using server = await countingServer();
    const servers = { repo: server.entry({ approval: "ask-writes" }) };
    await using lonely = await hostIn(sandbox, { servers });
    expect((await lonely.tools(undefined, PATIENTLY)).map(({ tool, approval }) => [tool, approval])).toEqual([
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

  test("an agent is told in words", async () => {
    await using sandbox = await createSandbox();
    await using server = await countingServer();
    await using host = await hostIn(sandbox, {
      servers: { repo: server.entry({ approval: { write: "ask" } }) },
    });
    const write = (await host.tools(undefined, PATIENTLY)).find(({ tool }) => tool === "write");
    expect(await write?.execute({})).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^MCP error: The call of "write" of "repo" needs your approval/),
    });
  });
});
