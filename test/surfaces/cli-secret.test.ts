import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { serveHttp } from "../../src/testing/index.ts";
import { hasTerminal, onTerminal } from "../support/on-terminal.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox();
  return () => sandbox[Symbol.asyncDispose]();
});

const plugboard = (words: readonly string[], input = "") => runCli(words, { sandbox, input });

describe("plugboard secret", () => {
  test("stores standard input, lists names, prints the secret to a pipe, and removes it", async () => {
    expect(await plugboard(["secret", "list"])).toMatchObject({
      code: 0,
      stdout: "No secrets are stored.\n",
    });
    expect(await plugboard(["secret", "set", "work/token"], "hunter2 hunter2\n")).toMatchObject({
      code: 0,
      stdout: '✓ Stored "work/token".\n',
      stderr: "  Use keychain:work/token as the value of an environment variable or a header.\n",
    });
    await plugboard(["secret", "set", "key"], "line one\nline two\n");
    expect((await plugboard(["secret", "list"])).stdout).toBe("key\nwork/token\n");
    expect((await plugboard(["secret", "get", "key"])).stdout).toBe("line one\nline two\n");
    expect((await plugboard(["secret", "list", "--json"])).json()).toEqual({
      secrets: [{ name: "key" }, { name: "work/token" }],
    });
    expect((await plugboard(["secret", "get", "work/token", "--json"])).json()).toEqual({
      name: "work/token",
      value: "hunter2 hunter2",
    });
    expect((await plugboard(["secret", "set", "other", "--json"], "x")).json()).toEqual({ name: "other" });
    expect(await plugboard(["secret", "rm", "work/token"])).toMatchObject({
      code: 0,
      stdout: 'Removed "work/token".\n',
    });
    expect(await plugboard(["secret", "get", "work/tokens"])).toMatchObject({ code: 3, stdout: "" });
    expect((await plugboard(["secret", "rm", "kei"])).stderr).toContain('Did you mean "key"?');
  });

  test("reports a damaged secret or a lost key with advice, and so does `doctor`", async () => {
    await plugboard(["secret", "set", "github"], "hunter2 hunter2");
    const folder = join(sandbox.home, ".local/state/plugboard/vault");
    const [entry = ""] = (await readdir(folder)).filter((name) => name.endsWith(".sealed"));
    expect((await plugboard(["doctor"])).stdout).not.toContain(folder);

    const text = await readFile(join(folder, entry), "utf8");
    await writeFile(join(folder, entry), text.replace(/"data":"..../, '"data":"AAAA'));
    const damaged = await plugboard(["secret", "get", "github"]);
    expect([damaged.code, damaged.stdout]).toEqual([1, ""]);
    expect(damaged.stderr).toContain(`${entry} is damaged and cannot be decrypted.`);
    expect(damaged.stderr).toContain("Restore that file from a backup.");
    expect(await plugboard(["secret", "list"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(`${entry} is damaged and cannot be decrypted.`),
    });
    await plugboard(["secret", "set", "other"], "x");
    const listed = await plugboard(["secret", "list", "--json"]);
    expect(listed.code).toBe(1);
    expect(listed.json()).toMatchObject({
      secrets: [{ name: "other" }],
      problems: [{ message: expect.stringContaining("is damaged") }],
    });
    await plugboard(["secret", "rm", "other"]);
    expect(await plugboard(["doctor"])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("is damaged"),
    });

    await writeFile(join(folder, entry), text);
    await rm(join(folder, "master.key"));
    const keyless = await plugboard(["secret", "get", "github"]);
    expect([keyless.code, keyless.stderr]).toEqual([1, expect.stringContaining("The key of the vault")]);
    expect((await plugboard(["secret", "set", "other"], "x")).code).toBe(1);
    expect(await readdir(folder)).toEqual([entry]);
    expect((await plugboard(["doctor", "--json"])).json()).toMatchObject({
      problems: [{ code: "state-unreadable", file: folder }],
    });
  });

  test("does not accept the secret as an argument, and does not repeat it", async () => {
    const { code, stdout, stderr } = await plugboard(["secret", "set", "a", "hunter2hunter2"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("Do not pass the secret as an argument");
    expect(stderr).not.toContain("hunter2");
  });

  test.each([
    [["secret", "set", "a"], "", "No secret was provided."],
    [["secret", "set", "a b"], "x", "Invalid secret name."],
    [["secret", "set", "../a"], "x", "Invalid secret name."],
    [["secret", "set"], "x", "Missing <name>."],
    [["secret", "show", "a"], "", "Specify an action and a secret name."],
  ])("%j is a usage error", async (words, input, said) => {
    const { code, stderr } = await plugboard(words, input);
    expect([code, stderr.split("\n")[0]]).toEqual([2, `✗ ${said}`]);
  });

  test.skipIf(!hasTerminal)(
    "hides the secret while it is typed, and prints it only with --show",
    async () => {
      const typed = await onTerminal(sandbox, "secret set mine", "hunter2-typed\r", "(not shown): ");
      expect(typed.code).toBe(0);
      expect(typed.screen).toContain('Stored "mine"');
      expect(typed.screen).not.toContain("hunter2");
      expect((await onTerminal(sandbox, "secret get mine", "")).screen).toBe(
        '"mine" is stored. To print it, add --show.\n',
      );
      expect((await onTerminal(sandbox, "secret get mine --show", "")).screen).toBe("hunter2-typed\n");
    },
  );
});

test("`add` refers to a stored secret, and the server gets it", async () => {
  await using server = await serveHttp(
    { name: "x", version: "1" },
    { guard: ({ headers }) => (headers.authorization === "Bearer hunter2hunter2" ? undefined : 401) },
  );
  await plugboard(["secret", "set", "work"], "hunter2hunter2");
  const { command, args } = stdioServer("tools-server.mjs");
  await plugboard(["add", "x", "--url", server.url, "--token", "keychain:work"]);
  await plugboard([
    "add",
    "y",
    "--env",
    "TOKEN=keychain:work",
    "--env",
    "KEY=!echo from-a-command",
    "--",
    command,
    ...args,
  ]);
  const file = JSON.parse(await readFile(join(sandbox.project, ".plugboard/mcp.json"), "utf8")) as {
    mcpServers: Record<string, object>;
  };
  expect(file.mcpServers).toMatchObject({
    x: { headers: { Authorization: "Bearer ${keychain:work}" } },
    y: { env: { TOKEN: "keychain:work", KEY: "!echo from-a-command" } },
  });
  expect(await plugboard(["test", "x"])).toMatchObject({ code: 0 });
  expect((await plugboard(["call", "y", "env", "name=TOKEN"])).stdout).toBe("hunter2hunter2\n");
  expect((await plugboard(["call", "y", "env", "name=KEY"])).stdout).toBe("from-a-command\n");
});

test("`doctor` and `test` report missing values, in text, in JSON and with the failure", async () => {
  await using server = await serveHttp(
    { name: "x", version: "1" },
    { guard: ({ headers }) => (headers.authorization ? undefined : 401) },
  );
  const x = {
    type: "http",
    url: server.url,
    oauth: false,
    headers: { Authorization: "Bearer ${keychain:gone}" },
  };
  const y = { ...stdioServer("tools-server.mjs"), env: { KEY: "!exit 3" } };
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { x, y } });
  const forX = 'headers.Authorization needs the secret "gone", which is not stored';
  const forY = "env.KEY is the output of a command that ended with code 3";
  const doctor = await plugboard(["doctor"]);
  expect(doctor.stdout).toContain(forX);
  expect(doctor.stdout).toContain(forY);
  expect(JSON.stringify((await plugboard(["doctor", "y", "--json"])).json())).toContain(forY);
  expect((await plugboard(["test", "y"])).stderr).toContain(forY);
  expect(JSON.stringify((await plugboard(["test", "y", "--json"])).json())).toContain(forY);
  const failed = await plugboard(["call", "x", "any"]);
  expect([failed.code, failed.stderr.split("These values were missing, which may be the cause:")[1]]).toEqual(
    [3, expect.stringContaining(forX)],
  );
});
