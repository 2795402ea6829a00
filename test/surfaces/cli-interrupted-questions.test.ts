import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasPty, KEYS, startOnPty } from "../support/pty.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

async function setUp(): Promise<Sandbox> {
  const sandbox = await createSandbox();
  await sandbox.writeProject(".plugboard/mcp.json", {
    mcpServers: { theirs: { command: "touch", args: ["started"] } },
  });
  await sandbox.writeHome(".cursor/mcp.json", {
    mcpServers: { web: { command: "x", env: { API_KEY: "hunter2hunter2" } } },
  });
  await sandbox.writeHome(".config/Code/User/mcp.json", {
    inputs: [{ id: "place", type: "promptString", description: "Place" }],
    servers: { placed: { command: "touch", args: ["started"], env: { PLACE: "${input:place}" } } },
  });
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { raw: { ...stdioServer("raw-server.mjs"), approval: "ask" } },
  });
  return sandbox;
}

describe.skipIf(!hasPty)("Ctrl-C at a question cancels the command", () => {
  test.each([
    ["`trust`, with yes, no or a number", ["trust", "theirs"], "Allow this server to run?"],
    ["`import`, with yes or no", ["import", "cursor"], "Move the secrets to the vault"],
    ["`call`, whose tool asks first", ["call", "raw", "echo", "text=hi"], "Call this tool? [y/N]"],
    ["`uninstall`", ["uninstall", "--config"], "Remove all of this? It cannot be undone. [y/N]"],
    ["an input of a server", ["test", "placed"], "place (Place):"],
    ["a secret, which is not shown", ["secret", "set", "token"], "(not shown):"],
  ])("%s", async (_, words, question) => {
    await using sandbox = await setUp();
    await using program = startOnPty([...words, "--no-color"], { sandbox });
    await program.waitFor(question);
    program.type(KEYS.ctrl("c"));
    expect((await program.ended).code).toBe(130);
    expect(program.raw()).not.toContain("✗");
    expect(existsSync(join(sandbox.project, "started"))).toBe(false);
    expect((await runCli(["secret", "list"], { sandbox })).stdout).toBe("No secrets are stored.\n");
  });
});
