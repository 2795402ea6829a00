import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { eventually } from "../flow/host-in.ts";
import { runCli, startCli } from "../support/run-cli.ts";
import { createSandboxInCi, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

async function callThroughGateway(sandbox: Sandbox, text: string): Promise<void> {
  const client = new Client({ name: "cli-test\u001b[31m", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [`${process.cwd()}/dist/surfaces/cli/main.cjs`, "serve", "--stdio"],
      env: sandbox.env(),
      cwd: sandbox.project,
      stderr: "ignore",
    }),
  );
  await client.callTool({ name: "tools_echo", arguments: { text } });
  await client.close();
}

test("plugboard audit shows, filters and follows client requests", async () => {
  await using sandbox = await createSandboxInCi();
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { tools: stdioServer("tools-server.mjs") } });
  expect((await runCli(["audit"], { sandbox })).stdout).toBe("No recorded requests match.\n");
  await callThroughGateway(sandbox, "one");
  const shown = await runCli(["audit", "--tool", "echo"], { sandbox });
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.stdout).toContain("tools/call  tools echo");
  expect(shown.stdout).not.toContain("\u001b");
  const json = await runCli(["audit", "--json", "--server", "tools", "--outcome", "ok"], { sandbox });
  expect(JSON.parse(json.stdout)).toMatchObject({
    entries: [{ server: "tools", item: "echo", outcome: "ok" }],
  });
  expect(
    (await runCli(["audit", "--since", "2000-01-01", "--outcome", "failed"], { sandbox })).stdout,
  ).toContain("No recorded");
  await using following = startCli(["audit", "--follow", "--json", "--tool", "echo"], { sandbox });
  await eventually(async () => expect(following.output().split("\n").length).toBeGreaterThan(1));
  await callThroughGateway(sandbox, "two");
  await eventually(async () => expect(following.output().split("\n").length).toBeGreaterThan(2));
});

test.each([
  ["--outcome", "good"],
  ["--limit", "0"],
  ["--since", "soon"],
])("plugboard audit %s %s is a usage error", async (flag, value) => {
  await using sandbox = await createSandboxInCi();
  expect(await runCli(["audit", flag, value], { sandbox })).toMatchObject({ code: 2 });
});
