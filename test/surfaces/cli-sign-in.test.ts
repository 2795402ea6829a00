import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually, eventuallyReads } from "../flow/host-in.ts";
import { browse, type OauthServer, startOauthServer } from "../support/oauth-server.ts";
import { type CliOptions, runCli, startCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

let server: OauthServer;
let sandbox: Sandbox;
beforeAll(async () => {
  server = await startOauthServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { notes: { type: "http", url: server.url } },
  });
  return () => sandbox[Symbol.asyncDispose]();
});

const plugboard = (...words: string[]) => runCli(words, { sandbox });

/** A browser opener that records the URL. */
async function fakeOpener(): Promise<{ env: CliOptions["env"]; opened: string }> {
  const opened = join(sandbox.home, "opened");
  const file = await sandbox.writeHome("bin/xdg-open", `#!/bin/sh\nprintf '%s\\n' "$#" "$@" > "${opened}"\n`);
  await chmod(file, 0o755);
  const path = `${join(sandbox.home, "bin")}:${process.env["PATH"]}`;
  return { env: { PATH: path }, opened };
}

/** Signs in by pasting, as over ssh. */
async function pasteLogin(words: readonly string[], part: "address" | "code" = "address") {
  await using cli = startCli([...words, "--no-browser"], { sandbox });
  const url = await eventually(() => {
    const [found = ""] = /http:\/\/127\.0\.0\.1:\d+\/auth\?\S+/.exec(cli.output()) ?? [];
    expect(found).not.toBe("");
    return found;
  });
  const address = await browse(url, new URL(url).searchParams.get("redirect_uri") ?? "");
  const code = new URL(address).searchParams.get("code") ?? "";
  cli.child.stdin.write(`${part === "address" ? address : code}\n`);
  return await cli.ended;
}

describe("signing in on the command line", () => {
  test("a call without a sign-in exits 3 and suggests the command", async () => {
    const { issuer } = await server.control();
    expect(await plugboard("call", "notes", "echo", "text=hi")).toMatchObject({
      code: 3,
      stdout: "",
      stderr:
        `! "notes" signs in at ${issuer}, another address on this machine or in your network\n` +
        '✗ "notes" requires you to sign in: you are not signed in.\n  Sign in, then try again.\n  → plugboard login notes\n',
    });
    const document = (await plugboard("call", "notes", "echo", "text=hi", "--json")).json();
    expect(document).toMatchObject({ error: { code: "INTERACTION_REQUIRED", reason: "signIn" } });
  });

  test("`login` prints an authorization server on another port before the address to open, even with --json", async () => {
    const { issuer } = await server.control();
    for (const words of [[], ["--json"]]) {
      const { code, stderr } = await pasteLogin(["login", "notes", ...words]);
      expect(code).toBe(0);
      expect(stderr.startsWith(`! "notes" signs in at ${issuer}, another address on this machine`)).toBe(
        true,
      );
    }
  });

  test("`trust`, `explain` and `doctor` show where a sign-in is sent", async () => {
    await pasteLogin(["login", "notes"]);
    const { signIns } = (await plugboard("auth", "status", "--json")).json() as { signIns: { id: string }[] };
    const id = signIns[0]?.id ?? "";
    const auth = { type: "oauth", credentialId: id };
    await sandbox.writeProject(".plugboard/mcp.json", {
      mcpServers: { thief: { command: "node", auth }, same: { type: "http", url: server.url } },
    });
    const { host } = new URL(server.url);
    const unused = `"${id}" is not used: it was created for ${server.url}`;
    expect((await plugboard("trust", "thief")).stdout).toContain(`  sign-in     ${unused}\n`);
    expect((await plugboard("trust", "same")).stdout).toContain(
      `  sign-in     "${id}", made for ${server.url}, is sent to ${host} as the Authorization header\n`,
    );
    expect((await plugboard("explain", "thief")).stdout).toContain(`sign-in: ${unused}`);
    const { stdout } = await plugboard("doctor");
    expect(stdout).toContain(
      `"notes": your sign-in "${id}" (made for ${server.url}) is sent to ${host} as the Authorization header.`,
    );
  });

  test("`login` opens a browser without a shell, prints the address, and ends connected", async () => {
    const { env = {}, opened } = await fakeOpener();
    await using cli = startCli(["login", "notes"], { sandbox, env });
    const [count, url = ""] = (await eventuallyReads(opened)).trim().split("\n");
    expect(count).toBe("1");
    const page = browse(url);
    const { code, stdout, stderr } = await cli.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: '✓ Signed in to "notes"; it is connected.\n' });
    expect(stderr).toContain(url);
    expect(await page).toContain("You are signed in");
    expect((await plugboard("call", "notes", "echo", "text=hi")).stdout).toContain("hi");
  });

  test("`login --no-browser` accepts the pasted URL or code; `auth status` shows the sign-in; `logout` ends it", async () => {
    for (const part of ["address", "code"] as const)
      expect(await pasteLogin(["login", "notes"], part)).toMatchObject({ code: 0 });
    expect((await plugboard("auth", "status")).stdout).toMatch(
      /^● notes {2}default {2}127\.0\.0\.1:\d+ {2}renews automatically\n$/,
    );
    const { signIns } = (await plugboard("auth", "status", "--json")).json() as { signIns: object[] };
    expect(signIns).toEqual([
      expect.objectContaining({
        servers: ["notes"],
        url: server.url,
        state: "signed-in",
        account: "default",
      }),
    ]);
    expect(JSON.stringify(signIns)).not.toMatch(/token/i);
    expect((await plugboard("unauth", "notes")).stdout).toBe('Signed out of "notes" (default).\n');
    expect((await plugboard("auth", "status")).stdout).toBe("No sign-ins are stored.\n");
    expect((await plugboard("call", "notes", "echo", "text=hi")).code).toBe(3);
  });

  test("`add --oauth` ends with a working connection", async () => {
    const words = ["add", "mine", "--url", server.url, "--oauth", "--account", "work", "--scope", "user"];
    const { code, stdout } = await pasteLogin(words);
    expect(code).toBe(0);
    expect(stdout).toContain('+ Added server "mine"');
    expect(stdout).toContain("tools");
    expect(JSON.parse(await readFile(join(sandbox.home, ".plugboard", "mcp.json"), "utf8"))).toMatchObject({
      mcpServers: { mine: { type: "http", url: server.url, oauth: true } },
    });
  });

  test("`add --oauth` does not sign in to a project's server at another port of this machine, until the entry names it", async () => {
    const { registrations } = await server.control();
    const { code, stderr } = await plugboard("add", "mine", "--url", server.url, "--oauth", "--no-browser");
    expect([code, (await server.control()).registrations]).toEqual([1, registrations]);
    expect(stderr).toContain("which is not in the approved entry");
    const { issuer } = await server.control();
    const [, command = ""] = /\n {2}→ plugboard (set mine oauth\.\S+)\n/.exec(stderr) ?? [];
    expect(command).toBe(
      `set mine oauth.authServerMetadataUrl=${issuer}/.well-known/oauth-authorization-server`,
    );
    expect((await plugboard(...command.split(" "))).code).toBe(0);
    expect((await pasteLogin(["login", "mine"])).code).toBe(0);
  });

  test("a second account has its own name and its own tools", async () => {
    const { issuer } = await server.control();
    const nobody = await plugboard("call", "notes", "echo", "text=hi", "--account", "at work");
    expect([nobody.code, nobody.stderr]).toEqual([
      3,
      `! "notes" signs in at ${issuer}, another address on this machine or in your network\n` +
        '✗ "notes" requires you to sign in: you are not signed in as "at work".\n  Sign in, then try again.\n  → plugboard login notes --account \'at work\'\n',
    ]);
    expect(await pasteLogin(["login", "notes"])).toMatchObject({ code: 0 });
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { notes: { type: "http", url: server.url, oauth: { scope: "mcp:read mcp:write" } } },
    });
    expect(await pasteLogin(["login", "notes", "--account", "at work"])).toMatchObject({ code: 0 });
    const call = (...words: string[]) => plugboard("call", "notes", "publish", ...words);
    expect(await call("--account", "at work")).toMatchObject({ code: 0, stdout: "published\n" });
    expect(await call()).toMatchObject({ code: 2, stderr: expect.stringContaining('no tool "publish"') });
  });

  test("the URL of another sign-in is refused, and a failed `add --oauth` suggests the next command", async () => {
    const wrong = await runCli(["login", "notes", "--no-browser"], {
      sandbox,
      input: "http://127.0.0.1:1/callback?code=abc&state=wrong\n",
    });
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringContaining(
        "✗ OAuth authentication failed: the URL belongs to another sign-in; paste the final URL of this sign-in\n",
      ),
    ]);
    const failed = await plugboard(
      "add",
      "gone",
      "--url",
      "http://127.0.0.1:9/mcp",
      "--oauth",
      "--no-browser",
    );
    expect([failed.code, failed.stderr]).toEqual([
      1,
      "✗ OAuth authentication failed: 127.0.0.1:9 cannot be reached\n  → plugboard login gone\n",
    ]);
  });

  test("unknown arguments are refused", async () => {
    for (const words of [
      ["auth", "who"],
      ["auth", "use", "notes"],
      ["auth", "status", "notes"],
    ])
      expect((await plugboard(...words)).code).toBe(2);
    expect((await plugboard("auth", "use", "notes", "work")).code).toBe(3);
  });

  test("`tools` and `status` fail with advice if the only server needs a registered client", async () => {
    await using closed = await startOauthServer(["--no-registration"]);
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { notes: { type: "http", url: closed.url } },
    });
    const tools = await plugboard("tools");
    expect([tools.code, tools.stdout]).toEqual([1, ""]);
    expect(tools.stderr).toMatch(/^! notes: "notes" requires an OAuth client that is registered with /m);
    const status = await plugboard("status");
    expect(status.code).toBe(1);
    expect(status.stdout).toContain("→ plugboard explain notes");
  });

  test("`list` and `status` open no browser", async () => {
    const { env = {}, opened } = await fakeOpener();
    await runCli(["list"], { sandbox, env });
    expect((await runCli(["status"], { sandbox, env })).stdout).toContain("needs sign-in");
    await expect(readFile(opened)).rejects.toThrow("ENOENT");
  });
});
