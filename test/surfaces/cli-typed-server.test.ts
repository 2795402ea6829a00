import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startOauthServer } from "../support/oauth-server.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startHttpServer, stdioServer } from "../support/test-servers.ts";

const { command, args } = stdioServer("tools-server.mjs");
const COMMAND = ["--", command, ...args];

describe("a server that is typed", () => {
  test("runs from a command after --, and is not remembered", async () => {
    await using sandbox = await createSandbox();
    const called = await runCli(["call", "add", "a=1", "b=2", ...COMMAND], { sandbox });
    expect(called).toMatchObject({ code: 0, stdout: "3\n", stderr: "" });
    const listed = await runCli(["tools", ...COMMAND], { sandbox });
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining("echo(text)") });
    const tested = await runCli(["test", ...COMMAND], { sandbox });
    expect(tested.code).toBe(0);
    expect((await runCli(["list", "--json"], { sandbox })).json()).toMatchObject({ servers: [] });
    expect(existsSync(join(sandbox.project, ".plugboard"))).toBe(false);
    expect(existsSync(join(sandbox.home, ".plugboard"))).toBe(false);
  });

  test("is reached by --url, even for one tool and its example", async () => {
    await using sandbox = await createSandbox();
    await using server = await startHttpServer();
    const called = await runCli(["call", "echo", "text=hi", "--url", server.url], { sandbox });
    expect(called).toMatchObject({ code: 0, stdout: "hi\n" });
    const { stdout } = await runCli(["tools", "echo", "--url", server.url], { sandbox });
    expect(stdout).toContain(`\n  plugboard call echo text=text --url ${server.url}\n`);
    const tested = await runCli(["test", "--url", server.url, "--json"], { sandbox });
    expect(tested.code).toBe(0);
  });

  test("that requires a sign-in can be added with the suggested command", async () => {
    await using sandbox = await createSandbox();
    await using server = await startOauthServer();
    const refused = await runCli(["tools", "--url", server.url], { sandbox });
    const suggested = `  Add the server to sign in: plugboard add <name> --url ${server.url} --oauth\n`;
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining(suggested) });
    const added = await runCli(["add", "notes", "--url", server.url, "--oauth"], { sandbox });
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining("plugboard login notes") });
  });

  test("is not named in advice, because no other command knows its name", async () => {
    await using sandbox = await createSandbox();
    const failed = await runCli(["tools", "--", "no-such-program-here"], { sandbox });
    const unknown = await runCli(["call", "ecko", ...COMMAND], { sandbox });
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("no-such-program-here") });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "echo"?') });
    expect(failed.stderr + unknown.stderr).not.toContain("→");
  });

  test("receives variables, and a secret is not refused because nothing is stored", async () => {
    await using sandbox = await createSandbox();
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const given = ["tools", "--env", `API_TOKEN=${secret}`];
    expect((await runCli([...given, ...COMMAND], { sandbox })).code).toBe(0);
    const saved = await runCli([...given, "--save", "mine", ...COMMAND], { sandbox });
    expect(saved).toMatchObject({ code: 2, stderr: expect.stringContaining("looks like a secret") });
    expect(saved.stderr).not.toContain(secret);
  });

  test("says how to send a token if the server requires one", async () => {
    await using sandbox = await createSandbox();
    await using closed = await startHttpServer(["--status", "401"]);
    expect(await runCli(["test", "--url", closed.url], { sandbox })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("To send a token, add --token env:<NAME>."),
    });
  });

  test("is added with --save, but not if the command fails or the name is taken", async () => {
    await using sandbox = await createSandbox();
    const names = async (): Promise<unknown> => {
      const { servers } = (await runCli(["list", "--json"], { sandbox })).json() as {
        servers: { name: string; state: string }[];
      };
      return servers.map(({ name, state }) => `${name} ${state}`);
    };
    const failed = await runCli(["test", "--save", "mine", "--", process.execPath, "-e", "0"], { sandbox });
    expect(failed.code).not.toBe(0);
    expect(await names()).toEqual([]);
    const saved = await runCli(["tools", "--save", "mine", ...COMMAND], { sandbox });
    expect(saved).toMatchObject({ code: 0, stderr: 'Saved as "mine" in project config.\n' });
    expect(await names()).toEqual(["mine idle"]);
    const again = await runCli(["tools", "--save", "mine", ...COMMAND], { sandbox });
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Server "mine" already exists.'),
    });
  });

  test.each([
    [["tools", "--save", "x"], "--save requires --url <url> or -- <command…>."],
    [["test", "a", "--url", "https://h.test/mcp"], "Unexpected argument"],
    [["call", "--url", "https://h.test/mcp", "--", "npx"], "either --url or"],
  ])("is refused if it is incomplete: %j", async (words, message) => {
    await using sandbox = await createSandbox();
    expect(await runCli(words, { sandbox })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  });
});
