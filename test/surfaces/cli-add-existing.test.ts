import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { hasTerminal, onTerminal } from "../support/on-terminal.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const CONFIG = ".plugboard/mcp.json";
const ENTRY = `{
  "mcpServers": {
    // mine
    "x": { "command": "old", "timeout": 5000, "trust": "trusted", "env": { "TOKEN": "ghp_0123456789abcdefghijABCDEFGHIJ012345" } }
  }
}
`;

async function sandboxWithEntry(): Promise<{ sandbox: Sandbox; file: string }> {
  const sandbox = await createSandbox();
  return { sandbox, file: await sandbox.writeProject(CONFIG, ENTRY) };
}

describe.skipIf(!hasTerminal)("`add` of a name that exists, on a terminal", () => {
  test("offers to change the entry, and keeps its comments and time limits", async () => {
    const { sandbox, file } = await sandboxWithEntry();
    await using _ = sandbox;
    const { code, screen } = await onTerminal(sandbox, "add x --no-color -- new --fast", "y\n");
    expect(code).toBe(0);
    expect(screen).toContain(`Server "x" already exists in ${CONFIG}:`);
    expect(screen).toContain('-  "command": "old",\n');
    expect(screen).toContain('+  "command": "new",\n');
    expect(screen).toContain(`✓ Changed server "x" in project config (${CONFIG})`);
    expect(screen).not.toContain("ghp_"); // secrets are masked
    const text = await readFile(file, "utf8");
    expect(text).toContain("// mine");
    expect(JSON.parse(text.replace("// mine", ""))).toEqual({
      mcpServers: { x: { command: "new", timeout: 5000, type: "stdio", args: ["--fast"] } },
    });
    const { servers } = (await runCli(["list", "--json"], { sandbox })).json() as {
      servers: { state: string }[];
    };
    expect(servers).toMatchObject([{ state: "idle" }]); // approved, because the user typed it
  });

  test("changes nothing if the user declines", async () => {
    const { sandbox, file } = await sandboxWithEntry();
    await using _ = sandbox;
    const { code, screen } = await onTerminal(sandbox, "add x --no-color -- new", "n\n");
    expect(code).toBe(1);
    expect(screen).toContain('✗ Server "x" already exists in ');
    expect(await readFile(file, "utf8")).toBe(ENTRY);
  });

  test("rewrites relative paths for the file's folder", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeProject(CONFIG, { mcpServers: { x: { command: "old" } } });
    await sandbox.writeProject("sub/run.sh", "");
    await sandbox.writeProject(".git/HEAD", "");
    const { code, screen } = await onTerminal(sandbox, "add x -C sub --no-color -- ./run.sh", "y\n");
    expect({ code, screen }).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({
      mcpServers: { x: { command: "./sub/run.sh" } },
    });
  });
});

test("`secret` without an action prints its usage and exits with 2", async () => {
  await using sandbox = await createSandbox();
  const { code, stdout, stderr } = await runCli(["secret"], { sandbox });
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: "",
    stderr:
      "✗ Specify an action and a secret name.\n  Usage: plugboard secret set <name> | get <name> | list | rm <name>\n",
  });
});
