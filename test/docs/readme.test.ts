import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createSandbox } from "../support/sandbox.ts";
import { codeBlocks, textOf } from "./markdown.ts";

const run = promisify(execFile);
const program = resolve("dist/surfaces/cli/main.cjs");
const published = resolve("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");

/** The expected output of each command. Lines with npm are tested by every run and by `test/package`. */
const SAYS: Readonly<Record<string, string>> = {
  "plugboard call demo text_stats": '{"lines":1,"words":2,"characters":11}',
  "plugboard test demo": '✓ Successfully connected to "demo"',
  "plugboard list": "No MCP servers are configured here.",
  "plugboard doctor": "0 errors.",
  "plugboard add files": '+ Added server "files" to user config',
  "plugboard call files list_directory": "[DIR] notes",
};

test("every command of the README works in a clean folder with an empty home", async () => {
  await using sandbox = await createSandbox();
  mkdirSync(join(sandbox.project, "notes"));
  const bin = join(sandbox.home, "bin");
  mkdirSync(bin);
  const onPath = (name: string, script: string): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  onPath("plugboard", `exec '${process.execPath}' '${program}' "$@"`);
  // The package is already installed here. Like npm, this script starts the server through a shell.
  onPath(
    "npx",
    `test "$1 $2" = "-y @modelcontextprotocol/server-filesystem" || exit 0
    npm_lifecycle_event=npx exec "\${npm_config_script_shell:-sh}" -c '"$@"' - '${process.execPath}' '${published}' "$3"`,
  );
  const env = { ...sandbox.env(), PATH: `${bin}:${process.env["PATH"]}` };

  const lines = codeBlocks(textOf("README.md")).flatMap(({ language, code }) =>
    language === "sh" ? code.trim().split("\n") : [],
  );
  const ours = lines.filter((line) => !line.startsWith("npm "));
  expect(ours.map((line) => Object.keys(SAYS).find((start) => line.startsWith(start)))).toEqual(
    Object.keys(SAYS),
  );
  for (const line of ours) {
    const { stdout, stderr } = await run("sh", ["-c", line], { cwd: sandbox.project, env });
    const [, says = ""] = Object.entries(SAYS).find(([start]) => line.startsWith(start)) ?? [];
    expect(stdout + stderr).toContain(says);
  }
});
