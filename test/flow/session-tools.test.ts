import { expect, test } from "vitest";
import { ToolRegistry } from "../../src/session/index.ts";
import { type ScriptedTool, serveHttp } from "../../src/testing/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { hostIn } from "./host-in.ts";

const tool: ScriptedTool = { run: () => "done" };

test("a tool that is gone answers so until the next step, and the registry follows the servers", async () => {
  await using sandbox = await createSandbox();
  const tools: Record<string, ScriptedTool> = { read: tool, write: tool };
  await using server = await serveHttp({ name: "scripted", version: "1.0.0", tools });
  await using host = await hostIn(sandbox, { servers: { repo: { type: "http", url: server.url } } });
  const session = host.session();
  const registry = new ToolRegistry();
  session.subscribe(({ tools: held }) => registry.refreshMCPTools(held));
  const step = await session.tools();
  delete tools["read"];
  tools["list"] = tool;
  await host.tools("repo", { refresh: true });
  await session.tools();
  expect(await step[0]?.execute({})).toMatchObject({
    isError: true,
    text: 'MCP error: Tool "read" of "repo" is no longer offered. It offers write, list.',
  });
  expect(await step[1]?.execute({})).toMatchObject({ text: "done" });
  expect(registry.tools().map(({ name }) => name)).toEqual(["mcp_repo_list", "mcp_repo_write"]);
});

test("what servers want the model to know is marked as theirs", async () => {
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
  await session.tools();
  expect(await session.instructions()).toBe(
    '## From the MCP server "repo"\n\nThe server says this, not the user:\n\nAsk twice.',
  );
});
