import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const CONFIG = ".plugboard/mcp.json";

async function writeServers(sandbox: Sandbox): Promise<void> {
  await sandbox.writeHome(
    CONFIG,
    `{
  "mcpServers": {
    "files": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "files", "--token", "hunter2hunter2"],
      "env": { "ROOT": "/srv", "API_KEY": "hunter2hunter2", "REF": "\${REF}" }
    },
    "my-files": { "type": "stdio", "command": "node" },
    "my_files": { "type": "stdio", "command": "node", "args": ["two"] },
    "off": { "command": "x", "enabled": false }
  }
}
`,
  );
  await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { files: { command: "theirs" } } });
  await sandbox.writeProject(".mcp.json", { mcpServers: { project: { command: "node", args: ["theirs"] } } });
}

describe("`explain`", () => {
  test("shows the folder in which a server starts", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, {
      mcpServers: { here: { command: "node" }, srv: { command: "node", cwd: "/srv" } },
    });
    await sandbox.writeProject(".cursor/mcp.json", { mcpServers: { sub: { command: "node", cwd: "sub" } } });
    const folderOf = async (server: string): Promise<string | undefined> => {
      const { reasons } = (await runCli(["explain", server, "--json"], { sandbox })).json() as {
        reasons: string[];
      };
      return reasons.find((reason) => reason.startsWith("working folder: "))?.slice(16);
    };
    expect(await folderOf("here")).toBe(sandbox.project);
    expect(await folderOf("srv")).toBe("/srv");
    expect(await folderOf("sub")).toBe(join(sandbox.project, "sub"));
  });

  test.each(["explain", "get"])("shows one server field by field: %s", async (verb) => {
    await using sandbox = await createSandbox();
    await writeServers(sandbox);
    const { code, stdout, stderr } = await runCli([verb, "files"], { sandbox });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.replace(sandbox.project, "PROJECT")).toMatchInlineSnapshot(`
      "○ files  idle  user tier · ~/.plugboard/mcp.json:3:5

        type     stdio                                                    ~/.plugboard/mcp.json:4:7
        command  npx                                                      ~/.plugboard/mcp.json:5:7
        args     ["-y","files","--token","[secret]"]                      ~/.plugboard/mcp.json:6:7
        env      {"ROOT":"[secret]","API_KEY":"[secret]","REF":"\${REF}"}  ~/.plugboard/mcp.json:7:7

        · transport: stdio ("type": "stdio")
        · enabled: by default
        · allowed: it is your own server
        · starts: npx -y files --token [secret], without the packages and settings of the working folder
        · working folder: PROJECT
        · connection timeout: 30000 ms (the default; set "startupTimeout" in ~/.plugboard/mcp.json:3:5 to change it)
        · call timeout: 30000 ms (the default; set "timeout" in ~/.plugboard/mcp.json:3:5 to change it)
        ↳ shadows ~/.cursor/mcp.json:3:5 (cursor)
      "
    `);
  });

  test("states the problem of an invalid entry once, and suggests the field that was meant", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { typo: { comand: "node" } } });
    const { stdout } = await runCli(["explain", "typo"], { sandbox });
    expect(stdout.match(/requires "command" field/g)).toHaveLength(1);
    expect(stdout).toContain('"comand" is not a known field; did you mean "command"?');
    expect(stdout).toContain("not allowed: its entry is invalid");
  });

  test("as JSON has the same content, and no secrets", async () => {
    await using sandbox = await createSandbox();
    await writeServers(sandbox);
    const { code, stdout, json } = await runCli(["explain", "files", "--json"], { sandbox });
    expect(code).toBe(0);
    expect(json()).toMatchObject({
      server: { name: "files" },
      fields: expect.any(Array),
      reasons: expect.any(Array),
    });
    expect(stdout).not.toContain("hunter2");
  });

  test("of an unknown server is a usage error", async () => {
    await using sandbox = await createSandbox();
    await writeServers(sandbox);
    const { code, stderr } = await runCli(["explain", "file"], { sandbox });
    expect([code, stderr]).toEqual([2, expect.stringContaining('"files"')]);
  });
});

/** Removes the suggestion to use a sandbox, which depends on the programs of this machine. `test/surfaces/cli-sandbox.test.ts` tests it. */
const withoutSandbox = (text: string): string =>
  text.replace(/^· \d+ local servers? runs? without a sandbox: .*\n {2}→ .*\n/m, "");

describe("`doctor`", () => {
  test("reports the files, the problems and the next commands", async () => {
    await using sandbox = await createSandbox();
    await writeServers(sandbox);
    const { code, stdout, stderr } = await runCli(["doctor"], { sandbox });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(withoutSandbox(stdout)).toMatchInlineSnapshot(`
      "Files
        ~/.plugboard/mcp.json  plugboard: files, my-files, my_files, off
        .mcp.json  claude-code: project
        ~/.cursor/mcp.json  cursor: files

      Servers
        ! "files" is also in ~/.cursor/mcp.json:3:5, which is not used.
          → Keep server names unique across all files.
        ! "files": env.API_KEY contains a secret in plain text (~/.plugboard/mcp.json:7:7).
          → Store it in the vault and write keychain:<name> instead.
        ! "files": args[3] contains a secret in plain text (~/.plugboard/mcp.json:6:7).
          → Put it in a variable and write \${NAME} instead.
        ! "files": env.REF needs \${REF}, which is not set.
          → Set it in the environment that Plugboard runs in.
        · "off" is disabled by "enabled": false in its entry; it is never started.
          → Enable it to use it. plugboard enable off
        ! "off" has no type.
          → Set "type" to avoid a wrong guess.
        · "project" requires your approval: defined by this project; not approved yet.
          → Review what it would run, then approve it. plugboard trust project
        ! "my_files" and "my-files" give their tools the same names.
          → Rename one server. Prefer names with only letters and underscores.

      5 servers, 3 files, 0 errors.
      "
    `);
  });

  test("reports a missing program and where it was searched", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { a: { type: "stdio", command: "gone" } } });
    const env = { PATH: `/nowhere:${process.env["PATH"]}` };
    const { code, stdout } = await runCli(["doctor"], { sandbox, env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('! "a": there is no program "gone".')]);
    expect(stdout).toContain("Searched: /nowhere, ");
  });

  test("is limited to one server", async () => {
    await using sandbox = await createSandbox();
    await writeServers(sandbox);
    const { code, stdout } = await runCli(["doctor", "project"], { sandbox });
    expect(code).toBe(0);
    expect(withoutSandbox(stdout)).toMatchInlineSnapshot(`
      "Files
        .mcp.json  claude-code: project

      Servers
        · "project" requires your approval: defined by this project; not approved yet.
          → Review what it would run, then approve it. plugboard trust project

      1 server, 1 file, 0 errors.
      "
    `);
  });

  test("exits with 1 on an error, and reports its location", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(
      CONFIG,
      '{\n  "mcpServers": { "a": { "command": "x", "url": "http://x" }, }\n',
    );
    const { code, json } = await runCli(["doctor", "--json"], { sandbox });
    expect(code).toBe(1);
    expect(json()).toMatchObject({
      files: [
        { file, servers: [], problems: [{ code: "file-syntax", severity: "error", line: 3, column: 1 }] },
      ],
    });
  });

  test("reports if there are no problems", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { a: { type: "stdio", command: "node" } } });
    const { code, stdout } = await runCli(["doctor"], { sandbox });
    expect(code).toBe(0);
    expect(withoutSandbox(stdout)).toMatchInlineSnapshot(`
      "Files
        ~/.plugboard/mcp.json  plugboard: a

      Servers
        No problems found. To check that the servers run: plugboard status

      1 server, 1 file, 0 errors.
      "
    `);
  });
});
