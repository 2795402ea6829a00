import { expect, test } from "vitest";
import type { JsonObject, SessionOptions } from "../../src/index.ts";
import { ToolRegistry } from "../../src/session/index.ts";
import { type ScriptedTool, serveHttp } from "../../src/testing/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startEverything, stdioServer } from "../support/test-servers.ts";
import { hostIn, PATIENTLY } from "./host-in.ts";

const tool: ScriptedTool = { run: () => "done" };

test("a removed tool returns an error until the next step, and the registry follows the servers", async () => {
  await using sandbox = await createSandbox();
  const tools: Record<string, ScriptedTool> = { read: tool, write: tool };
  await using server = await serveHttp({ name: "scripted", version: "1.0.0", tools });
  await using host = await hostIn(sandbox, { servers: { repo: { type: "http", url: server.url } } });
  const session = host.session();
  const registry = new ToolRegistry();
  session.subscribe(({ tools: held }) => registry.refreshMCPTools(held));
  const step = await session.tools(PATIENTLY);
  delete tools["read"];
  tools["list"] = tool;
  await host.tools("repo", { refresh: true });
  await session.tools(PATIENTLY);
  expect(await step[0]?.execute({})).toMatchObject({
    isError: true,
    text: 'MCP error: Tool "read" of "repo" is no longer offered. It offers write, list.',
  });
  expect(await step[1]?.execute({})).toMatchObject({ text: "done" });
  expect(registry.tools().map(({ name }) => name)).toEqual(["mcp_repo_list", "mcp_repo_write"]);
});

test("an agent can use the tools of all servers in one session, whatever their transport and era", async () => {
  await using sandbox = await createSandbox();
  await using web = await serveHttp({
    name: "web",
    version: "1",
    tools: { fetch: { run: () => "fetched" } },
  });
  await using old = await startEverything("sse", "sse");
  await using host = await hostIn(sandbox, {
    servers: {
      local: stdioServer("raw-server.mjs"),
      web: { type: "http", url: web.url },
      old: { type: "sse", url: old.url },
    },
  });
  const tools = await host.session().tools(PATIENTLY);
  const use = async (name: string, args: JsonObject): Promise<string | undefined> =>
    (await tools.find((each) => each.name === name)?.execute(args))?.text;
  expect(await use("mcp_local_echo", { text: "here" })).toBe("here");
  expect(await use("mcp_web_fetch", {})).toBe("fetched");
  expect(await use("mcp_old_get_sum", { a: 2, b: 3 })).toBe("The sum of 2 and 3 is 5.");
});

test("a session's tool lists apply to every server, next to the servers' own and those of its bundles", async () => {
  await using sandbox = await createSandbox();
  const server = stdioServer("tools-server.mjs");
  await using host = await hostIn(sandbox, {
    servers: { a: { ...server, denyTools: ["echo"] }, b: server },
  });
  const names = async (options: SessionOptions): Promise<readonly string[]> =>
    (await host.session(options).tools(PATIENTLY)).map(({ name }) => name);
  expect(await names({ allowTools: ["add", "e*"], denyTools: ["env"] })).toEqual([
    "mcp_a_add",
    "mcp_b_add",
    "mcp_b_echo",
  ]);
  const bundles = [{ server: "b", denyTools: ["add"] }];
  expect(await names({ bundles, allowTools: ["add", "echo"] })).toEqual(["mcp_b_echo"]);

  const tools = await host.session({ denyTools: ["add"], mode: "meta" }).tools(PATIENTLY);
  const call = tools.find(({ name }) => name === "mcp_call_tool");
  const result = await call?.execute({ name: "mcp_b_add", arguments: { a: 1, b: 2 } });
  expect(result).toMatchObject({ isError: true });
  expect((await host.call("b", "add", { a: 1, b: 2 })).text).toBe("3");
});

test("servers' instructions for the model are marked as theirs", async () => {
  await using sandbox = await createSandbox();
  await using server = await serveHttp({
    name: "s",
    version: "1",
    instructions: "Ask twice.",
    tools: { read: tool },
  });
  const entry = { type: "http" as const, url: server.url };
  await using host = await hostIn(sandbox, {
    servers: { repo: entry, wild: { ...entry, trust: "untrusted" } },
  });
  const session = host.session();
  await session.tools(PATIENTLY);
  expect(await session.instructions()).toBe(
    '## From the MCP server "repo"\n\nThe server says this, not the user:\n\n> Ask twice.',
  );
});
