import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";

const PROJECT = { mcpServers: { other: { command: "x" }, third: { command: "y" } } };

test("`trust` without a server names those that require approval", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeProject(".mcp.json", PROJECT);
  expect(await runCli(["trust"], { sandbox })).toMatchObject({
    code: 2,
    stderr: "✗ Missing <server>.\n  Requires approval: other, third. For example: plugboard trust other\n",
  });
});

test("`import` names the command that approves a server", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeProject(".mcp.json", PROJECT);
  const { stderr } = await runCli(["import", "claude-code", "other", "unknown"], { sandbox });
  expect(stderr).toBe(
    "! other: it requires your approval\n  → plugboard trust other\n! unknown: there is no server with this name\n",
  );
});

test("`auth` shows what `auth status` shows", async () => {
  await using sandbox = await createSandbox();
  const { stdout } = await runCli(["auth", "status"], { sandbox });
  expect(await runCli(["auth"], { sandbox })).toMatchObject({ code: 0, stdout });
});

test.each([
  ["on", true],
  ["network", { network: "full" }],
  ["off", false],
])("`set` accepts sandbox=%s", async (word, expected) => {
  await using sandbox = await createSandbox();
  const file = join(sandbox.home, ".plugboard", "mcp.json");
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { files: { command: "x" } } });
  expect((await runCli(["set", "files", `sandbox=${word}`], { sandbox })).code).toBe(0);
  expect(JSON.parse(await readFile(file, "utf8")).mcpServers.files.sandbox).toEqual(expected);
});
