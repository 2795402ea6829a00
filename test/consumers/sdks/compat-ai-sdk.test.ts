import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, type ToolSet } from "ai";
import { expect, test } from "vitest";
import { McpClientManager } from "../../../src/compat/index.ts";
import { startModel } from "../../adapters/model-server.ts";
import { createSandbox } from "../../support/sandbox.ts";
import { stdioServer } from "../../support/test-servers.ts";

// Silences the SDK's warning that this provider uses an older specification.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

test("McpClientManager.getTools() returns tools for generateText", async () => {
  await using sandbox = await createSandbox();
  const { command, args } = stdioServer("tools-server.mjs");
  const manager = new McpClientManager({
    servers: { repo: { trust: "trusted", transport: { type: "stdio", command, args } } },
    host: { cwd: sandbox.project, env: sandbox.env(), home: sandbox.home },
  });
  try {
    await using server = await startModel([
      { calls: [{ name: "echo", args: { text: "hello" } }] },
      { calls: [{ name: "fail", args: {} }] },
      { text: "done" },
    ]);
    const tools: ToolSet = await manager.getTools("repo");
    const { text } = await generateText({
      model: createOpenAI({ apiKey: "test", baseURL: `${server.url}/v1` }).chat("gpt-5.1"),
      tools,
      prompt: "go",
      stopWhen: isStepCount(5),
    });
    expect({ text, refused: server.refused, results: server.results() }).toEqual({
      text: "done",
      refused: [],
      results: ["hello", expect.stringContaining("Error: it went wrong")],
    });
  } finally {
    await manager.closeAll();
  }
});

test("the tools of McpClientManager also work without the SDK, and their schemas are plain JSON", async () => {
  await using sandbox = await createSandbox();
  const { command, args } = stdioServer("tools-server.mjs");
  const manager = new McpClientManager({
    servers: { repo: { trust: "trusted", transport: { type: "stdio", command, args } } },
    host: { cwd: sandbox.project, env: sandbox.env(), home: sandbox.home },
  });
  const { echo } = await manager.getTools("repo");
  expect(await echo?.execute({ text: "hi" })).toMatchObject({ text: "hi", isError: false });
  expect(JSON.parse(JSON.stringify(echo?.inputSchema))).toMatchObject({
    type: "object",
    properties: { text: { type: "string" } },
  });
  expect([echo?.server, echo?.tool, echo?.name]).toEqual(["repo", "echo", "mcp_repo_echo"]);
  await manager.closeAll();
});
