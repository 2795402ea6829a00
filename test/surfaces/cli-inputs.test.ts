import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { hasPty, KEYS, startOnPty } from "../support/pty.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type FileContent, type Sandbox } from "../support/sandbox.ts";

const FILE = ".config/Code/User/mcp.json";
const SHOW = 'command=test "$KEY" = s3cret-value && echo $PLACE';
const config = (more: object = {}): FileContent => ({
  inputs: [
    { id: "key", type: "promptString", description: "API key", password: true },
    { id: "place", type: "pickString", options: ["here", "there"], default: "here" },
  ],
  servers: {
    probe: {
      command: "node",
      args: [resolve("test/servers/probe-server.mjs")],
      env: { KEY: "${input:key}", PLACE: "${input:place}" },
      ...more,
    },
  },
});

async function setUp(): Promise<Sandbox> {
  const sandbox = await createSandbox();
  await sandbox.writeHome(FILE, config());
  return sandbox;
}

describe.skipIf(!hasPty)("the inputs of a VS Code entry", () => {
  test("are asked for once, and stored as secrets", async () => {
    await using sandbox = await setUp();
    await using program = startOnPty(["call", "probe", "run", SHOW], { sandbox });
    await program.waitFor("key (API key):");
    program.enter("s3cret-value");
    await program.waitFor("2  there");
    await program.waitFor("place [here]:");
    program.enter("2");
    expect((await program.ended).code).toBe(0);
    expect(program.raw()).not.toContain("s3cret-value");

    const again = await runCli(["call", "probe", "run", "command=test $KEY = s3cret-value && echo $PLACE"], {
      sandbox,
    });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0\nthere/) });
    const stored = await runCli(["secret", "list"], { sandbox });
    expect(stored.stdout).toMatch(/^input\/probe\/key@[0-9a-f]{16}\ninput\/probe\/place@[0-9a-f]{16}\n$/);

    // A server with the same name in another file must not get the value.
    await sandbox.writeHome(FILE, { servers: {} });
    await sandbox.writeHome(".config/Code - Insiders/User/mcp.json", config());
    const other = await runCli(["call", "probe", "run", "command=echo [$KEY]"], { sandbox });
    expect(other.stdout).toMatch(/^0\n\[\]/);
  });

  test("can be cancelled, and then nothing is started or stored", async () => {
    await using sandbox = await setUp();
    await using program = startOnPty(["call", "probe", "run", SHOW], { sandbox });
    await program.waitFor("key (API key):");
    program.type(KEYS.enter);
    expect((await program.ended).code).toBe(3);
    expect(program.raw()).toContain('Server "probe" requires values that were not entered.');
    expect((await runCli(["secret", "list"], { sandbox })).stdout).not.toContain("input/");
  });

  test("are asked for in interactive mode, with a list of choices", async () => {
    await using sandbox = await setUp();
    await using program = startOnPty([], { sandbox });
    await program.waitFor("Type a message");
    program.enter("/mcp test probe");
    await program.waitFor("key (API key)");
    program.enter("s3cret-value");
    await program.waitFor("there");
    program.type("2");
    await program.waitFor('Successfully connected to "probe"');
    expect(program.raw()).not.toContain("s3cret-value");
    program.enter("/mcp call probe run 'command=test $KEY = s3cret-value && echo $PLACE'");
    await program.waitForText(/0\s+there/);
  });
});

test("without a terminal the server starts without its inputs, which `doctor` reports", async () => {
  await using sandbox = await setUp();
  expect((await runCli(["call", "probe", "run", "command=echo [$KEY]"], { sandbox })).stdout).toMatch(
    /^0\n\[\]/,
  );
  const { stdout } = await runCli(["doctor", "probe"], { sandbox });
  expect(stdout).toContain('the input "key" has no value yet');
});

test("a secret input does not become an argument, which other users can see", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(FILE, config({ args: [resolve("test/servers/probe-server.mjs"), "${input:key}"] }));
  const { stderr, stdout } = await runCli(["doctor", "probe"], { sandbox });
  expect(stdout + stderr).toContain('args needs the secret input "key"');
});
