import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { hasPty, startOnPty } from "../support/pty.ts";
import { serveRaw } from "../support/raw-http.ts";
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

describe("completions", () => {
  test("include commands, servers, options, their values and cached tools, without starting servers", async () => {
    await using sandbox = await sandboxWithServers();
    const after = async (...words: string[]): Promise<string[]> => {
      const { stdout } = await runCli(["completion", "--", ...words], { sandbox });
      return stdout.split("\n").flatMap((line) => line.split("\t")[0] || []);
    };
    expect(await after("rel")).toEqual(["reload"]);
    expect(await after("test", "")).toEqual(["files", "my notes", "demo"]);
    expect(await after("add", "x", "--sc")).toEqual(["--scope"]);
    expect(await after("add", "x", "--scope", "")).toEqual(["project", "user"]);
    expect(await after("generate", "")).toEqual(["types", "client"]);
    expect(await after("generate", "types", "files", "")).toEqual(["files", "my notes"]);
    expect(await after("generate", "client", "fi")).toEqual(["files"]);
    expect(await after("call", "files", "ec")).toEqual([]);
    await runCli(["tools", "files"], { sandbox });
    expect(await after("call", "files", "ec")).toEqual(["echo"]);
    expect(await after("nothing", "")).toEqual([]);
  });

  test("include subcommands, help topics, and the options before a command", async () => {
    await using sandbox = await sandboxWithServers();
    const after = async (...words: string[]): Promise<string[]> => {
      const { stdout } = await runCli(["completion", "--", ...words], { sandbox });
      return stdout.split("\n").flatMap((line) => line.split("\t")[0] || []);
    };
    expect(await after("daemon", "st")).toEqual(["start", "stop", "status"]);
    expect(await after("audit", "")).toEqual(["verify", "export"]);
    expect(await after("token", "")).toEqual(["create", "list", "revoke"]);
    expect(await after("people", "a")).toEqual(["add", "administrator"]);
    expect(await after("database", "")).toEqual(["import", "forget-key"]);
    expect(await after("tasks", "")).toEqual(["wait", "cancel"]);
    expect(await after("forget", "")).toEqual(["usage"]);
    expect(await after("advisories", "")).toEqual(["update"]);
    expect(await after("auth", "")).toEqual(["status", "use"]);
    expect(await after("daemon", "start", "")).toEqual([]);
    expect(await after("sandbox", "")).toEqual(["test", "learn"]);
    expect(await after("sandbox", "test", "fi")).toEqual(["files"]);
    expect(await after("inventory", "")).toEqual([]);
    expect(await after("status", "")).toEqual([]);
    expect(await after("help", "appr")).toEqual(["approval"]);
    expect(await after("--con")).toEqual(["--continue"]);
    expect(await after("--mod")).toEqual(["--model"]);
    expect(await after("--json", "rel")).toEqual(["reload"]);
    expect(await after("-C", "/tmp", "rel")).toEqual(["reload"]);
    expect(await after("--directory", "call")).toEqual([]); // a folder
    expect(await after("mcp", "rel")).toEqual(["reload"]);
    expect(await after("mcp", "test", "fi")).toEqual(["files"]);
    expect(await after("add", "io.github.acme/x", "--via", "o")).toEqual(["oci"]);
  });

  test("never include a name that is an option", async () => {
    await using sandbox = await createSandbox();
    const mcpServers = {
      "--trust-project": { command: "x" },
      "-x": { command: "x" },
      files: { command: "x" },
    };
    await sandbox.writeProject(".mcp.json", { mcpServers });
    for (const words of [["tools"], ["test"], ["generate", "client"], ["pins"]]) {
      const { stdout } = await runCli(["completion", "--", ...words, ""], { sandbox });
      expect(stdout, words.join(" ")).toContain("files\t");
      expect(stdout, words.join(" ")).not.toMatch(/^-/m);
    }
  });

  test("never include a name that contains a value", async () => {
    await using sandbox = await createSandbox();
    const prompts = [{ name: "p", arguments: [{ name: "a=@link" }, { name: "b:=1" }, { name: "topic" }] }];
    await using server = await serveRaw({
      answer({ message }, response) {
        const results: Record<string, object> = {
          initialize: {
            protocolVersion: "2025-11-25",
            capabilities: { prompts: {} },
            serverInfo: { name: "s", version: "1" },
          },
          "prompts/list": { prompts },
        };
        const result = results[String(message?.["method"])];
        if (result === undefined) return false;
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id: message?.["id"], result }));
        return true;
      },
    });
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { named: { url: server.url } } });
    const env = { "A=!id #": "x", "B=@link": "x", TOKEN: "x" };
    await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { own: { command: "x", env } } });
    await runCli(["prompts"], { sandbox });
    const after = async (...words: string[]): Promise<string[]> => {
      const { stdout } = await runCli(["completion", "--", ...words], { sandbox });
      return stdout.split("\n").flatMap((line) => line.split("\t")[0] || []);
    };
    expect(await after("prompt", "named", "p", "")).toEqual(["topic="]);
    expect((await after("set", "own", "env.")).filter((text) => text.startsWith("env."))).toEqual([
      "env.TOKEN=",
    ]);
    expect((await after("unset", "own", "env.")).filter((text) => text.startsWith("env."))).toEqual([
      "env.TOKEN",
    ]);
  });

  test("include tools, resources, prompts, arguments and well-known servers of the commands that take them", async () => {
    await using sandbox = await createSandbox();
    const [files, notes] = [stdioServer("tools-server.mjs"), stdioServer("notes-server.mjs")];
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { files, notes } });
    await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { theirs: { command: "theirs" } } });
    for (const words of [["tools"], ["resources"], ["prompts"], ["tools", "demo"]])
      await runCli(words, { sandbox });
    const after = async (...words: string[]): Promise<string[]> => {
      const { stdout } = await runCli(["completion", "--", ...words], { sandbox });
      return stdout.split("\n").flatMap((line) => line.split("\t")[0] || []);
    };
    expect(await after("import", "")).toEqual(["cursor"]);
    expect(await after("import", "cursor", "")).toEqual(["theirs"]);
    expect(await after("export", "v")).toEqual(["vscode"]);
    expect(await after("sync", "--to", "cursor,v")).toEqual(["cursor,vscode"]);
    expect(await after("add", "file")).toEqual(["filesystem"]);
    expect(await after("completion", "")).toEqual(["bash", "zsh", "fish"]);
    expect(await after("tools", "de")).toEqual(["demo"]);
    expect(await after("call", "demo", "te")).toEqual(["text_stats"]);
    expect(await after("call", "files", "add", "")).toEqual(["a=", "b="]);
    expect(await after("call", "files", "add", "a=1", "")).toEqual(["b="]);
    expect(await after("call", "files", "add", "a", "=", "1", "")).toEqual(["b="]); // as bash splits it
    expect(await after("read", "notes", "note")).toContain("note://first");
    expect(await after("read", "notes", "note", ":", "//fi")).toEqual(["//first"]);
    const [prompt = ""] = await after("prompt", "notes", "");
    expect(prompt).not.toBe("");
    expect(await after("prompt", "notes", prompt, "")).toEqual(["topic=", "tone="]);
  });

  test("come with notes, and as JSON", async () => {
    await using sandbox = await sandboxWithServers();
    const { stdout } = await runCli(["completion", "--json", "--", "test", "f"], { sandbox });
    expect(JSON.parse(stdout)).toEqual({ words: [{ text: "files", note: "idle" }] });
  });
});

/** How to start each shell without the user's files, and load the script. */
const SHELLS = {
  bash: { words: ["--norc", "--noprofile", "-i"], setUp: "PS1='% '" },
  zsh: { words: ["-f", "-i"], setUp: "PS1='% '; autoload -Uz compinit; compinit -u -D" },
  fish: { words: ["--no-config", "-i"], setUp: "function fish_prompt; echo -n '% '; end" },
} as const;
const TYPED: readonly (readonly [keys: string, meant: string])[] = [
  ["plugboard test fi\t", "<test><files>"],
  ["plugboard test my\t", "<test><my notes>"],
  ["plugboard call my\t ec\t", "<call><my notes><echo>"],
  ["plugboard add x --sc\tus\t", "<add><x><--scope><user>"],
  ["plugboard call files add a\t1 b\t2", "<call><files><add><a=1><b=2>"],
  ["plugboard sync --to cursor,vs\t", "<sync><--to><cursor,vscode>"],
];

describe.each(Object.entries(SHELLS))("in a real %s", (shell, { words, setUp }) => {
  const isThere = hasPty && spawnSync(shell, ["-c", "true"]).status === 0;
  if (!isThere) console.log(`skipped: there is no ${shell} on a terminal here`);

  test.skipIf(!isThere)("Tab completes words with the script", async () => {
    await using sandbox = await createSandbox();
    const server = stdioServer("tools-server.mjs");
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { files: server, "my notes": server } });
    await runCli(["tools"], { sandbox });
    const { stdout: script } = await runCli(["completion", shell], { sandbox });
    const env = sandboxPath(sandbox);
    writeFileSync(join(sandbox.project, "script"), script);

    await using terminal = startOnPty([], { sandbox, env, command: [shell, ...words] });
    terminal.enter(`${setUp}; source ./script; echo re''ady`);
    await terminal.waitForText(/^ready/m);
    for (const [keys, meant] of TYPED) {
      terminal.enter(keys);
      await terminal.waitForText(meant);
    }
    terminal.enter("exit");
    await terminal.ended;
  });
});

/** A `plugboard` that answers the completion script, and otherwise prints its arguments. */
function sandboxPath({ home }: Sandbox): { PATH: string } {
  const folder = join(home, "bin");
  mkdirSync(folder);
  writeFileSync(
    join(folder, "plugboard"),
    `#!/bin/sh
if [ "$1" = completion ]; then exec '${process.execPath}' '${PROGRAM}' "$@"; fi
printf '<%s>' "$@"; echo
`,
    { mode: 0o755 },
  );
  return { PATH: `${folder}:${process.env["PATH"]}` };
}

test.each([
  [[], "Missing <bash|zsh|fish>."],
  [["tcsh"], 'Unsupported shell "tcsh".'],
])("completion %j is a usage error", async (words, wrong) => {
  await using sandbox = await createSandbox();
  const { code, stderr } = await runCli(["completion", ...words], { sandbox });
  expect([code, stderr]).toEqual([2, expect.stringContaining(wrong)]);
});
