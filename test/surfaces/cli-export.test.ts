import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasTerminal, onTerminal } from "../support/on-terminal.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

if (!hasTerminal)
  console.log("skipped: no `script` of util-linux, so nothing can be typed on a terminal here");

const CURSOR = ".cursor/mcp.json";
const FILES = { type: "stdio", command: "npx", args: ["-y", "files", "/srv"] };
const ISSUES = {
  type: "http",
  url: "https://h.test/mcp",
  headers: { Authorization: "Bearer ${ISSUES_TOKEN}" },
};

async function withServers(servers: object = { files: FILES, issues: ISSUES }): Promise<Sandbox> {
  const sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: servers });
  return sandbox;
}

const BEFORE = `{
  // mine
  "mcpServers": {
    "other": { "command": "keep", "env": { "API_KEY": "canary" } }
  }
}
`;
const SHOWN = `--- ~/.cursor/mcp.json
+++ ~/.cursor/mcp.json
@@ -1,6 +1,11 @@
 {
   // mine
   "mcpServers": {
-    "other": { "command": "keep", "env": { "API_KEY": "[secret]" } }
+    "other": { "command": "keep", "env": { "API_KEY": "[secret]" } },
+    "files": {
+      "type": "stdio",
+      "command": "npx",
+      "args": ["-y", "files", "/srv"]
+    }
   }
 }
`;
const AFTER = BEFORE.replace(
  '"canary" } }\n',
  `"canary" } },
    "files": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "files", "/srv"]
    }
`,
);

/** Returns all files except the program's cache. */
async function writtenInHome(sandbox: Sandbox): Promise<string[]> {
  return (await readdir(sandbox.home)).filter((name) => name !== ".cache");
}

describe("`export` without a terminal", () => {
  test("shows the diff, writes nothing, and says how to write it", async () => {
    await using sandbox = await withServers();
    const file = await sandbox.writeHome(CURSOR, BEFORE);
    const { code, stdout, stderr } = await runCli(["export", "cursor", "files"], { sandbox });
    expect({ code, stdout, stderr }).toEqual({
      code: 3,
      stdout: SHOWN,
      stderr: "✗ Nothing was written.\n  Review the diff, then add --yes to write it.\n",
    });
    expect(await readFile(file, "utf8")).toBe(BEFORE);
    expect(await readdir(join(sandbox.home, ".cursor"))).toEqual(["mcp.json"]);
  });

  test("with --yes, writes the shown diff after a backup, and then has nothing to do", async () => {
    await using sandbox = await withServers();
    const file = await sandbox.writeHome(CURSOR, BEFORE);
    const { code, stdout, stderr } = await runCli(["export", "cursor", "files", "--yes"], { sandbox });
    const [backup = ""] = (await readdir(join(sandbox.home, ".cursor"))).filter(
      (name) => name !== "mcp.json",
    );
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${SHOWN}✓ Wrote ~/.cursor/mcp.json. The previous version is in ~/.cursor/${backup}.\n`,
      stderr: "",
    });
    expect(await readFile(file, "utf8")).toBe(AFTER);
    expect(await readFile(join(sandbox.home, ".cursor", backup), "utf8")).toBe(BEFORE);
    expect(await runCli(["export", "cursor", "files"], { sandbox })).toMatchObject({
      code: 0,
      stdout: "· Already in ~/.cursor/mcp.json: files\n",
      stderr: "",
    });
  });

  test("reports skipped servers with the reason; exits 1 if none is left", async () => {
    await using sandbox = await withServers();
    const desktop = await runCli(["export", "claude-desktop", "-y"], { sandbox });
    expect(desktop).toMatchObject({
      code: 0,
      stderr: "! Skipped issues: Claude Desktop does not support remote servers in its config file\n",
    });
    expect(await runCli(["export", "zed", "issues", "--yes"], { sandbox })).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "! Skipped issues: Zed does not expand variables (${ISSUES_TOKEN} in headers.Authorization)\n",
    });
    expect(existsSync(join(sandbox.home, ".config", "zed"))).toBe(false);
  });

  test("reports that there are no servers", async () => {
    await using sandbox = await createSandbox();
    expect(await runCli(["export", "cursor"], { sandbox })).toMatchObject({
      code: 0,
      stdout: "No servers to write.\n",
      stderr: "",
    });
  });

  test("prints the plan as JSON, and whether it was written, without any secret", async () => {
    await using sandbox = await withServers();
    const file = await sandbox.writeHome(CURSOR, BEFORE);
    const env = { ISSUES_TOKEN: "canary" };
    const shown = await runCli(["export", "cursor", "files", "issues", "--json"], { sandbox, env });
    const plan = {
      tool: "cursor",
      label: "Cursor",
      scope: "user",
      file,
      changes: [
        { server: "files", action: "add", after: FILES },
        {
          server: "issues",
          action: "add",
          after: { url: ISSUES.url, headers: { Authorization: "Bearer ${env:ISSUES_TOKEN}" } },
        },
      ],
      skipped: [],
      others: [],
      before: BEFORE.replace("canary", "[secret]"),
      after: expect.stringContaining("${env:ISSUES_TOKEN}"),
      snippet: expect.stringContaining("${env:ISSUES_TOKEN}"),
    };
    expect(shown.code).toBe(3);
    expect(shown.json()).toEqual({
      ...plan,
      written: false,
      hint: "Review the diff, then add --yes to write it.",
    });
    expect(await readFile(file, "utf8")).toBe(BEFORE);
    const written = await runCli(["export", "cursor", "files", "issues", "--json", "--yes"], {
      sandbox,
      env,
    });
    expect(written.code).toBe(0);
    expect(written.json()).toEqual({
      ...plan,
      written: true,
      backup: expect.stringContaining(".plugboard-backup-"),
    });
    for (const { stdout, stderr } of [shown, written]) expect(stdout + stderr).not.toContain("canary");
  });

  test("without names, writes Plugboard's own servers; other tools' only with --all", async () => {
    await using sandbox = await withServers({ files: FILES });
    await sandbox.writeHome(".gemini/settings.json", { mcpServers: { theirs: { command: "theirs" } } });
    const own = await runCli(["export", "cursor", "--json"], { sandbox });
    expect(own.json()).toMatchObject({ changes: [{ server: "files" }], others: ["theirs"] });
    const shown = await runCli(["export", "cursor"], { sandbox });
    expect(shown.stdout).not.toContain("theirs");
    expect(shown.stderr).toContain(
      "· Not written, because other tools' files define them: theirs. Add --all to write them too.\n",
    );
    const all = await runCli(["export", "cursor", "--all", "--json"], { sandbox });
    expect(all.code).toBe(3); // it still asks
    expect(all.json()).toMatchObject({ changes: [{ server: "files" }, { server: "theirs" }], others: [] });
  });

  test("does not change an equivalent entry", async () => {
    await using sandbox = await withServers({ files: FILES });
    const { type: _, ...same } = FILES;
    const text = `{"mcpServers":{"files":${JSON.stringify({ ...same, env: {}, disabled: false })}}}`;
    const file = await sandbox.writeHome(CURSOR, text);
    const { code, stdout } = await runCli(["export", "cursor", "--yes"], { sandbox });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "· Already in ~/.cursor/mcp.json: files\n" });
    expect(await readFile(file, "utf8")).toBe(text);
  });

  test("shows each changed entry on its own lines if the file is JSON on one line", async () => {
    await using sandbox = await withServers({ files: FILES });
    const others = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`s${at}`, { command: "keep" }]));
    const mcpServers = { ...others, files: { ...FILES, command: "old" } };
    await sandbox.writeHome(CURSOR, JSON.stringify({ mcpServers }));
    const { stdout } = await runCli(["export", "cursor"], { sandbox });
    expect(stdout).toBe(`--- ~/.cursor/mcp.json
+++ ~/.cursor/mcp.json
server "files"
@@ -1,6 +1,6 @@
 {
   "type": "stdio",
-  "command": "old",
+  "command": "npx",
   "args": [
     "-y",
     "files",
`);
  });

  test.each<[args: string[], code: number, message: string]>([
    [["export"], 2, "Missing <tool>."],
    [["export", "cursor", "files", "--all"], 2, "Use either --all or server names, not both."],
    [["export", "curser"], 2, 'Did you mean "cursor"?'],
    [["export", "cursor", "flies"], 2, 'Unknown server "flies".'],
    [["export", "cursor", "--scope", "all"], 2, "Invalid --scope value."],
    [["export", "claude-code", "--scope", "user"], 1, "claude mcp add-json --scope user"],
    [["export", "windsurf", "--scope", "project"], 1, "Windsurf has no project file."],
    [["sync"], 2, "Choose a destination: --to cursor,vscode"],
    [["sync", "--to", "cursor,vsc0de", "--yes"], 2, 'Did you mean "vscode"?'],
    [["sync", "--to", "cursor", "flies", "--yes"], 2, 'Unknown server "flies".'],
  ])("%j is refused before anything is written", async (args, code, message) => {
    await using sandbox = await withServers();
    const result = await runCli(args, { sandbox });
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(message) });
    expect(await writtenInHome(sandbox)).toEqual([".plugboard"]);
    expect(await readdir(sandbox.project)).toEqual([".git"]);
  });
});

describe("`sync`", () => {
  test("writes the same servers for several tools, each in its own format", async () => {
    await using sandbox = await withServers();
    const { code, stdout } = await runCli(["sync", "--to", "cursor, codex", "issues", "--yes"], { sandbox });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Cursor\n--- \(new file\)[\s\S]+✓ Wrote ~\/\.cursor\/mcp\.json\.\nCodex\n/);
    expect(JSON.parse(await readFile(join(sandbox.home, CURSOR), "utf8"))).toEqual({
      mcpServers: { issues: { url: ISSUES.url, headers: { Authorization: "Bearer ${env:ISSUES_TOKEN}" } } },
    });
    expect(await readFile(join(sandbox.home, ".codex", "config.toml"), "utf8")).toBe(
      `[mcp_servers.issues]\nurl = "${ISSUES.url}"\nbearer_token_env_var = "ISSUES_TOKEN"\n`,
    );
  });

  test("writes for two tools that share a file", async () => {
    await using sandbox = await withServers({ files: FILES });
    await sandbox.writeProject(".mcp.json", "{}\n");
    const args = ["sync", "--to", "claude-code,copilot-cli", "--scope", "project", "--yes", "--json"];
    const { code, json } = await runCli(args, { sandbox });
    expect(code).toBe(0);
    expect(json()).toMatchObject({
      plans: [
        { tool: "claude-code", written: true, changes: [{ action: "add" }] },
        { tool: "copilot-cli", written: false, changes: [{ action: "same" }] },
      ],
      failures: [],
    });
  });

  test("continues after a file that cannot be edited, and exits with an error", async () => {
    await using sandbox = await withServers({ files: FILES });
    const bad = await sandbox.writeHome(CURSOR, "{ oops");
    const { code, stdout, stderr } = await runCli(["sync", "--to", "cursor,gemini", "--yes"], { sandbox });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^✗ cursor: ~\/\.cursor\/mcp\.json:1:3 .*it was not changed\.$/m);
    expect(stdout).toContain("✓ Wrote ~/.gemini/settings.json.");
    expect(await readFile(bad, "utf8")).toBe("{ oops");
    const shown = await runCli(["sync", "--to", "cursor,gemini", "--json"], { sandbox });
    expect(shown.code).toBe(1);
    expect(shown.json()).toMatchObject({
      plans: [{ tool: "gemini", written: false }],
      failures: [{ tool: "cursor", error: { code: "CONFIG_INVALID" } }],
    });
  });

  test("writes nothing without a terminal and without --yes", async () => {
    await using sandbox = await withServers({ files: FILES });
    const { code, stdout, stderr } = await runCli(["sync", "--to", "cursor,vscode"], { sandbox });
    expect(code).toBe(3);
    expect(stdout).toMatch(/^Cursor\n[\s\S]+\nVS Code\n/);
    expect(stderr).toContain("add --yes");
    expect(await writtenInHome(sandbox)).toEqual([".plugboard"]);
  });
});

describe.skipIf(!hasTerminal)("on a terminal", () => {
  test("yes writes the shown changes", async () => {
    await using sandbox = await withServers({ files: FILES });
    const { screen, code } = await onTerminal(sandbox, "export cursor --no-color", "y\n");
    expect(code).toBe(0);
    expect(screen).toContain('+    "files": {');
    expect(screen).toContain("Write these changes for Cursor? [y/N]");
    expect(screen).toContain("✓ Wrote ~/.cursor/mcp.json.");
    expect(existsSync(join(sandbox.home, CURSOR))).toBe(true);
  });

  test("no writes nothing", async () => {
    await using sandbox = await withServers({ files: FILES });
    const { screen, code } = await onTerminal(sandbox, "export cursor --no-color", "n\n");
    expect(code).toBe(3);
    expect(screen).toContain("✗ Nothing was written.");
    expect(existsSync(join(sandbox.home, CURSOR))).toBe(false);
  });

  test("`sync` asks for each tool", async () => {
    await using sandbox = await withServers({ files: FILES });
    const { screen, code } = await onTerminal(sandbox, "sync --to cursor,zed --no-color", "y\n");
    expect(code).toBe(0);
    expect(screen.match(/Write these changes for \w+\? \[y\/N\]/g)).toEqual([
      "Write these changes for Cursor? [y/N]",
      "Write these changes for Zed? [y/N]",
    ]);
  });
});

describe("`export --print`", () => {
  test("prints the gateway's entry as the tool's file has it, and writes nothing", async () => {
    await using sandbox = await withServers();
    const file = await sandbox.writeHome(CURSOR, BEFORE);
    const { code, stdout, stderr } = await runCli(["export", "cursor", "--gateway", "--print"], { sandbox });
    const args = ["serve", "--stdio", "--mode", "auto", "--max-tools", "40"];
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      mcpServers: { plugboard: { type: "stdio", command: "plugboard", args } },
    });
    expect(await readFile(file, "utf8")).toBe(BEFORE);
    expect(await readdir(join(sandbox.home, ".cursor"))).toEqual(["mcp.json"]);
  });

  test("prints TOML for Codex, and an entry with the address of a gateway", async () => {
    await using sandbox = await withServers();
    const codex = await runCli(["export", "codex", "--gateway", "--print"], { sandbox });
    expect(codex.stdout).toContain('[mcp_servers.plugboard]\ncommand = "plugboard"\n');
    const url = "http://127.0.0.1:7420/mcp";
    const remote = await runCli(["export", "vscode", "--gateway", "--url", url, "--print"], { sandbox });
    expect(JSON.parse(remote.stdout)).toMatchObject({ servers: { plugboard: { type: "http", url } } });
    expect(await writtenInHome(sandbox)).toEqual([".plugboard"]);
  });

  test("prints servers without other entries of the file, and as JSON the whole plan", async () => {
    await using sandbox = await withServers();
    await sandbox.writeHome(CURSOR, BEFORE);
    const { code, stdout } = await runCli(["export", "cursor", "files", "--print"], { sandbox });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ mcpServers: { files: FILES } });
    const json = await runCli(["export", "cursor", "files", "--print", "--json"], { sandbox });
    expect(json.code).toBe(0);
    expect(json.json()).toMatchObject({ tool: "cursor", snippet: stdout, written: false });
  });

  test("names what cannot be written, and is not for --yes", async () => {
    await using sandbox = await withServers();
    const url = "http://127.0.0.1:7420/mcp";
    const skipped = await runCli(["export", "claude-desktop", "--gateway", "--url", url, "--print"], {
      sandbox,
    });
    expect(skipped).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("Skipped plugboard"),
    });
    const both = await runCli(["export", "cursor", "--print", "--yes"], { sandbox });
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("Use either --print or --yes") });
  });
});
