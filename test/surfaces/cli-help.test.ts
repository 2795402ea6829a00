import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { COMMANDS as ALL_COMMANDS } from "../../src/surfaces/cli/commands/index.ts";
import { HELP_TOPICS } from "../../src/surfaces/shared/help/help-topics.ts";
import { hasTerminal, onTerminal } from "../support/on-terminal.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";

const COMMANDS = ["list", "tools", "call", "test", "status", "trust"];

describe("help", () => {
  test.each([[["--help"]], [["-h"]], [["help"]], [["mcp", "--help"]]])(
    "of %j names every command",
    async (args) => {
      await using sandbox = await createSandbox();
      const { code, stdout, stderr } = await runCli(args, { sandbox });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const named = COMMANDS.filter((command) => stdout.includes(`\n  ${command}`));
      expect(named).toEqual(COMMANDS);
      expect(stdout).toContain("--version");
      expect(stdout).toContain(
        "Exit codes: 0 success, 1 failure, 2 usage error, 3 user action required, 130 cancelled.",
      );
    },
  );

  test("of every command shows its usage and an example, for `help` and for `--help`", async () => {
    await using sandbox = await createSandbox();
    const { stdout: overview } = await runCli(["--help"], { sandbox });
    const [listed = ""] = overview.split("\nOptions without a command\n");
    const commands = [...listed.matchAll(/^ {2}([a-z]+) .*/gm)].map(([, name = ""]) => name);
    expect(commands.toSorted()).toEqual(ALL_COMMANDS.map(({ name }) => name).toSorted());
    expect(commands).toEqual(expect.arrayContaining(COMMANDS));
    await Promise.all(
      commands.map(async (command) => {
        const { code, stdout, stderr } = await runCli([command, "--help"], { sandbox });
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
        expect(stdout).toContain(`Usage  plugboard ${command}`);
        expect(stdout).toMatch(/\nExamples\n {2}.*\n {2}./); // at least two
        expect(stdout).toContain(`\n  plugboard ${command}`);
        expect((await runCli(["help", command], { sandbox })).stdout).toBe(stdout);
      }),
    );
    const { stdout } = await runCli(["call", "--help"], { sandbox });
    expect((await runCli(["mcp", "call", "-h"], { sandbox })).stdout).toBe(stdout);
  });

  test("is wrapped at COLUMNS in a pipe, and at 80 columns on a terminal of unknown width", async () => {
    await using sandbox = await createSandbox();
    const longest = (text: string): number => Math.max(...text.split("\n").map((line) => line.length));
    const { stdout } = await runCli(["help"], { sandbox, env: { COLUMNS: "40" } });
    expect(longest(stdout)).toBeLessThanOrEqual(40);
    for (const wrong of ["0", "wide", "-1", ""])
      expect(longest((await runCli(["help"], { sandbox, env: { COLUMNS: wrong } })).stdout)).toBeGreaterThan(
        80,
      );
    if (!hasTerminal) return;
    const { screen } = await onTerminal(sandbox, "help --no-color", "", "[y/N]", 0);
    expect(longest(screen)).toBeGreaterThan(60);
    expect(longest(screen)).toBeLessThanOrEqual(80);
  });

  test.skipIf(!hasTerminal)("fits a terminal of 40 columns, one line per command", async () => {
    await using sandbox = await createSandbox();
    const { screen } = await onTerminal(sandbox, "--help --no-color", "", "[y/N]", 40);
    expect(screen.split("\n").filter((line) => line.length > 40)).toEqual([]);
    for (const { name } of ALL_COMMANDS) expect(screen).toMatch(new RegExp(`^  ${name} {2,}\\S`, "m"));
    // A word that is longer than a row stays whole, so that it can be copied.
    const tooLong = (text: string): string[] =>
      text.split("\n").filter((row) => row.length > 40 && row.trim().replace(/ \\$/, "").includes(" "));
    for (const page of ["call --help", "add --help", "completion --help", "help files", "help secrets"]) {
      const { screen: help } = await onTerminal(sandbox, `${page} --no-color`, "", "[y/N]", 40);
      expect(tooLong(help)).toEqual([]);
    }
  });

  test.each(ALL_COMMANDS)("of $name has notes that can be wrapped, with aligned terms", ({ notes = [] }) => {
    const terms = notes.map((note) => /^\S+(?: \S+)* {2,}/.exec(note)?.[0]);
    expect(new Set(terms.flatMap((term) => term?.length ?? [])).size).toBeLessThan(2);
    const sentences = notes.filter((_, index) => terms[index] === undefined);
    expect(sentences.filter((note) => !/^[A-Z]/.test(note))).toEqual([]);
  });

  test("of a topic is a page, and a typo of a topic is corrected", async () => {
    await using sandbox = await createSandbox();
    const { stdout: overview } = await runCli(["help"], { sandbox });
    const [, listed = ""] = overview.split("\nHelp topics\n");
    const topics = [...listed.matchAll(/^ {2}([a-z]+) .*/gm)].map(([, name = ""]) => name);
    expect(topics).toEqual(Object.keys(HELP_TOPICS));
    for (const topic of topics) {
      const { code, stdout } = await runCli(["help", topic], { sandbox });
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(new RegExp(`^${topic}: `)) });
    }
    expect(await runCli(["help", "secrts"], { sandbox })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "plugboard help secrets"?'),
    });
  });

  test("and the version are JSON with --json", async () => {
    await using sandbox = await createSandbox();
    const help = await runCli(["list", "--help", "--json"], { sandbox });
    expect(help.json()).toEqual({ help: expect.stringContaining("Usage  plugboard list") });
    const version = await runCli(["--version", "--json"], { sandbox });
    expect(version.json()).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  });
});

test.each([["--version"], ["-v"]])("%s prints the package's version alone", async (flag) => {
  await using sandbox = await createSandbox();
  const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  expect(await runCli([flag], { sandbox })).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
});

test("a leading `mcp` is accepted", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { files: { command: "npx" } } });
  const { stdout } = await runCli(["list"], { sandbox });
  expect(stdout).toContain("files");
  expect(await runCli(["mcp", "list"], { sandbox })).toMatchObject({ code: 0, stdout });
  const json = await runCli(["--json", "mcp", "list"], { sandbox });
  expect(json.json()).toMatchObject({ servers: [{ name: "files" }] });
});

describe("a usage error exits 2 and suggests a correction", () => {
  test.each<[args: string[], message: string, hint: string]>([
    [["lst"], "Unknown command: lst", 'Did you mean "plugboard list"?'],
    [["install", "foo"], "Unknown command: install", 'Did you mean "plugboard add"?'],
    [["approve"], "Unknown command: approve", 'Did you mean "plugboard trust"?'],
    [["find"], "Unknown command: find", 'Did you mean "plugboard search"?'],
    [["signin"], "Unknown command: signin", 'Did you mean "plugboard login"?'],
    [["config"], "Unknown command: config", 'Did you mean "plugboard list"?'],
    [["run"], "Unknown command: run", 'Did you mean "plugboard call"?'],
    [["chat"], "Unknown command: chat", 'Did you mean "plugboard"?'],
    [["resume"], "Unknown command: resume", 'Did you mean "plugboard --resume"?'],
    [["history"], "Unknown command: history", 'Did you mean "plugboard --resume"?'],
    [["mcp", "install"], "Unknown command: install", 'Did you mean "plugboard add"?'],
    [
      ["--resume"],
      "--resume needs interactive mode.",
      "Run it in a terminal, or use --continue with --print.",
    ],
    [["-c"], "--continue needs interactive mode.", "Run it in a terminal, or use --continue with --print."],
    [
      ["sandbox", "server-memory"],
      "Missing action: test or learn.",
      "Usage: plugboard sandbox test <server> | learn <server> [tool] [key=value …]",
    ],
    [["set", "vault", "timeout", "5000"], 'Invalid argument "timeout".', "Write timeout=5000."],
    [["set", "vault", "env.TOKEN", "abc"], 'Invalid argument "env.TOKEN".', "Write env.TOKEN=<value>."],
    [["set", "vault", "timeout=60s"], '"timeout" must be a number of milliseconds.', "60s is timeout=60000."],
    [
      ["set", "registry=https://registry.example"],
      "Missing <server>.",
      "This command changes a server's fields. Settings are in ~/.plugboard/settings.json.",
    ],
    [["set", "vault"], "Missing <field>=<value>.", "Usage: plugboard set <server> <field>=<value> …"],
    [["frobnicate"], "Unknown command: frobnicate", "See plugboard --help."],
    [["help", "cal"], "Unknown command or topic: cal", 'Did you mean "plugboard help call"?'],
    [["list", "--jsn"], "Unknown option: --jsn", "Did you mean --json?"],
    [["list", "--frobnicate"], "Unknown option: --frobnicate", "See plugboard list --help."],
    [["--frobnicate"], "Unknown option: --frobnicate", "See plugboard --help."],
    [["list", "-x"], "Unknown option: -x", "See plugboard list --help."],
    [["list", "a", "b"], "Unexpected argument: a b", "Usage: plugboard list"],
    [["status", "now"], "Unexpected argument: now", "Usage: plugboard status"],
    [
      ["generate"],
      "Missing action: types or client.",
      "Usage: plugboard generate types [server …] | client <server>",
    ],
    [
      ["database"],
      "Missing action: import or forget-key.",
      "Usage: plugboard database import <person> | forget-key <id>",
    ],
    [["forget"], "Missing action: usage.", "Usage: plugboard forget usage"],
    [
      ["sandbox", "test"],
      "Missing <server>.",
      "Usage: plugboard sandbox test <server> | learn <server> [tool] [key=value …]",
    ],
    [["test"], "Missing <server>.", "Usage: plugboard test <server>"],
    [["trust"], "Missing <server>.", "Usage: plugboard trust <server>"],
    [["call"], "Missing <server>.", "Usage: plugboard call <server> <tool> [key=value …]"],
    [["list", "--directory", "--no-color"], "Missing value for --directory.", "Write --directory <folder>."],
  ])("%j", async (args, message, hint) => {
    await using sandbox = await createSandbox();
    const result = await runCli(args, { sandbox });
    expect(result).toMatchObject({ code: 2, stdout: "", stderr: `✗ ${message}\n  ${hint}\n` });
    const asJson = await runCli([...args, "--json"], { sandbox });
    expect([asJson.code, asJson.json()]).toEqual([2, { error: { code: "USAGE_INVALID", message, hint } }]);
  });

  test("an option with an unexpected or missing value", async () => {
    await using sandbox = await createSandbox();
    expect(await runCli(["list", "--all=yes"], { sandbox })).toMatchObject({
      code: 2,
      stderr: "✗ --all takes no value.\n",
    });
    expect(await runCli(["call", "demo", "uuid", "--input"], { sandbox })).toMatchObject({
      code: 2,
      stderr: "✗ Missing value for --input.\n  Write --input <json>.\n",
    });
  });

  test("a folder that does not exist", async () => {
    await using sandbox = await createSandbox();
    expect(await runCli(["list", "--directory", "/no/such/folder"], { sandbox })).toMatchObject({
      code: 2,
      stderr: "✗ Folder not found: /no/such/folder\n  Pass an existing folder to --directory.\n",
    });
  });
});
