import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startHttpServer, stdioServer } from "../support/test-servers.ts";

/** Failing commands with their exit codes and errors. */
const CASES: readonly [args: string[], exitCode: number, error: object][] = [
  [
    ["lst"],
    2,
    { code: "USAGE_INVALID", message: "Unknown command: lst", hint: 'Did you mean "plugboard list"?' },
  ],
  [
    ["call", "god", "echo"],
    2,
    {
      code: "SERVER_UNKNOWN",
      message: 'Unknown server "god".',
      hint: 'Did you mean "good"? Run: plugboard list',
      server: "god",
    },
  ],
  [
    ["call", "good", "ecko"],
    2,
    {
      code: "TOOL_UNKNOWN",
      message: 'Server "good" has no tool "ecko".',
      hint: 'Did you mean "echo"? Run: plugboard tools good',
      server: "good",
    },
  ],
  [
    ["call", "good", "echo"],
    2,
    {
      code: "TOOL_ARGUMENTS_INVALID",
      message: 'Invalid arguments for "echo": "text" is required.',
      hint: "It is called as echo(text: string). Run: plugboard tools good echo",
      server: "good",
    },
  ],
  [
    ["call", "good", "echo", "texd=1"],
    2,
    { code: "USAGE_INVALID", message: 'The tool has no argument "texd".', hint: 'Did you mean "text"?' },
  ],
  [
    ["call", "theirs", "echo"],
    3,
    {
      code: "INTERACTION_REQUIRED",
      message: 'Server "theirs" needs your approval: defined by this project; not approved yet.',
      hint: "Review what it would run, then approve it. Run: plugboard trust theirs",
      server: "theirs",
      reason: "trust",
    },
  ],
  [
    ["call", "gone", "echo"],
    1,
    {
      code: "CONNECT_COMMAND_NOT_FOUND",
      message: 'Failed to connect to "gone": command "no-such-program" was not found',
      hint: 'Install "no-such-program", or set "command" to its full path. Run: plugboard test gone',
      server: "gone",
    },
  ],
  [
    ["test", "dying"],
    1,
    {
      code: "CONNECT_EXITED",
      message:
        'Failed to connect to "dying": the process exited with code 3 before it responded; last output:\nboom: missing API_KEY',
      hint: 'Run its command in a terminal to see why. It inherits only a few of your environment variables: set the ones it needs in "env", or list them in "inheritEnv".',
      server: "dying",
    },
  ],
  [
    ["tools", "slow"],
    1,
    {
      code: "CONNECT_TIMEOUT",
      message: 'Failed to connect to "slow": it did not answer within 300 ms',
      hint: 'Try increasing the timeout. The limit is 300 ms: "startupTimeout" in ~/.plugboard/mcp.json:39:7. Run: plugboard test slow --timeout <ms>',
      server: "slow",
    },
  ],
  [
    ["call", "crashing", "echo", "text=x"],
    1,
    {
      code: "TOOL_CALL_FAILED",
      message:
        'Tool execution failed: the process of "crashing" exited with code 5; last output:\nboom: crashed in a call',
      server: "crashing",
    },
  ],
  [
    ["call", "off", "echo"],
    1,
    {
      code: "SERVER_DISABLED",
      message: 'Server "off" is disabled.',
      hint: expect.stringContaining('"enabled": false'),
      server: "off",
    },
  ],
  [
    ["call", "wrong", "echo"],
    1,
    {
      code: "SERVER_INVALID",
      message: expect.stringContaining('server "wrong": stdio server requires "command" field'),
      hint: "Correct its entry.",
      server: "wrong",
    },
  ],
  [
    ["call", "closed", "echo"],
    3,
    {
      code: "AUTH_REQUIRED",
      message: expect.stringMatching(
        /^Failed to connect to "closed": http:\S+ requires you to sign in \(HTTP 401\)$/,
      ),
      hint: "Check your authentication credentials. Run: plugboard set closed 'headers.Authorization=Bearer ${TOKEN}'",
      server: "closed",
    },
  ],
  [
    ["trust", "theirs", "--yes", "--hash", "0".repeat(64)],
    3,
    {
      code: "POLICY_HASH_MISMATCH",
      message: expect.stringContaining("is not the launch that was reviewed"),
      hint: "Review it again, then approve the new hash.",
      server: "theirs",
    },
  ],
];

test.each(CASES)(
  "with --json, %j exits %i and prints its error as the one document",
  async (args, exitCode, error) => {
    await using sandbox = await createSandbox();
    await using closed = await startHttpServer(["--status", "401"]);
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: {
        good: stdioServer("raw-server.mjs"),
        gone: { command: "no-such-program" },
        dying: stdioServer("raw-server.mjs", ["--behave", "exit"]),
        crashing: stdioServer("raw-server.mjs", ["--behave", "crash-on-call"]),
        slow: { ...stdioServer("raw-server.mjs", ["--behave", "hang"]), startupTimeout: 300 },
        off: { command: "x", enabled: false },
        wrong: { type: "stdio" },
        closed: { type: "http", url: closed.url },
      },
    });
    await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { theirs: { command: "x" } } });
    const { code, stderr, json } = await runCli([...args, "--json"], { sandbox });
    const document: unknown = JSON.parse(JSON.stringify(json()).replaceAll(sandbox.home, "~"));
    expect({ code, stderr, document }).toEqual({ code: exitCode, stderr: "", document: { error } });
  },
);
