import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/surfaces/cli/main.cjs", import.meta.url));

async function sandboxWithServers(): Promise<Sandbox> {
  const sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { files: stdioServer("tools-server.mjs"), "my notes": { command: "notes" } },
  });
  return sandbox;
}

describe("words that could follow", () => {
  test("are verbs, servers, options, their values, and the tools that are known; nothing is started for it", async () => {
    await using sandbox = await sandboxWithServers();
    const after = async (...words: string[]): Promise<string[]> => {
      const { stdout } = await runCli(["completion", "--", ...words], { sandbox });
      return stdout.split("\n").flatMap((line) => line.split("\t")[0] || []);
    };
    expect(await after("rel")).toEqual(["reload"]);
    expect(await after("test", "")).toEqual(["files", "'my notes'"]);
    expect(await after("add", "x", "--sc")).toEqual(["--scope"]);
    expect(await after("add", "x", "--scope", "")).toEqual(["project", "user"]);
    expect(await after("call", "files", "ec")).toEqual([]);
    await runCli(["tools", "files"], { sandbox });
    expect(await after("call", "files", "ec")).toEqual(["echo"]);
    expect(await after("nothing", "")).toEqual([]);
  });

  test("come with notes, and as JSON", async () => {
    await using sandbox = await sandboxWithServers();
    const { stdout } = await runCli(["completion", "--json", "--", "test", "f"], { sandbox });
    expect(JSON.parse(stdout)).toEqual({ words: [{ text: "files", note: "idle" }] });
  });
});

test("bash completes with the script", async () => {
  await using sandbox = await sandboxWithServers();
  const { stdout: script } = await runCli(["completion", "bash"], { sandbox });
  const folder = join(sandbox.home, "bin");
  mkdirSync(folder);
  symlinkSync(process.execPath, join(folder, "node"));
  writeFileSync(join(folder, "plugboard"), `#!/bin/sh\nexec node ${PROGRAM} "$@"\n`, { mode: 0o755 });
  const typed = `${script}
COMP_WORDS=(plugboard test fi); COMP_CWORD=2; _plugboard; printf '%s\\n' "\${COMPREPLY[@]}"
COMP_WORDS=(plugboard test ""); COMP_CWORD=2; _plugboard; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { ...sandbox.env(), PATH: `${folder}:${process.env["PATH"]}` };
  const said = execFileSync("bash", ["--norc", "-c", typed], { env, cwd: sandbox.project, encoding: "utf8" });
  expect(said).toBe("files\nfiles\n'my notes'\n");
});

test.each(["zsh", "fish"])("there is a script for %s", async (shell) => {
  await using sandbox = await createSandbox();
  const { code, stdout } = await runCli(["completion", shell], { sandbox });
  expect([code, stdout]).toEqual([0, expect.stringContaining("plugboard completion -- ")]);
});

test.each([
  [[], "Missing <bash|zsh|fish>."],
  [["tcsh"], 'There is no script for "tcsh".'],
])("completion %j is wrong usage", async (words, wrong) => {
  await using sandbox = await createSandbox();
  const { code, stderr } = await runCli(["completion", ...words], { sandbox });
  expect([code, stderr]).toEqual([2, expect.stringContaining(wrong)]);
});
