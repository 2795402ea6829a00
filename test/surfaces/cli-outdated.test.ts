import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startPackageRegistry } from "../support/package-registry.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

/** A server of the legacy era with these tools, without dependencies. */
const serverWith = (tools: readonly object[]): string => `#!/usr/bin/env node
import { createInterface } from "node:readline";
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const results = {
    initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "acme", version: "1" } },
    "tools/list": { tools: ${JSON.stringify(tools)} },
    "tools/call": { content: [{ type: "text", text: "called" }] },
  };
  const result = results[method];
  const answer = result === undefined ? { error: { code: -32601, message: "unknown" } } : { result };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
});
`;
const ECHO = { name: "echo", description: "Echoes.", inputSchema: { type: "object" } };
const OLD = serverWith([ECHO, { ...ECHO, name: "old" }]);
const NEW = serverWith([
  { ...ECHO, description: "Echoes loudly." },
  { ...ECHO, name: "added" },
]);

const FILE = ".plugboard/mcp.json";
const CONFIG = `{
  "mcpServers": {
    // stays
    "acme": { "command": "npx", "args": ["-y", "mcp-acme@1.0.0"], "timeout": 20000 },
    "loose": { "command": "npx", "args": ["-y", "mcp-acme"] },
    "remote": { "url": "https://acme.test/mcp" }
  }
}
`;

async function setUp(registry: { readonly url: string }): Promise<Sandbox> {
  const sandbox = await createSandbox();
  await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
  await sandbox.writeHome(FILE, CONFIG);
  return sandbox;
}
const configOf = ({ home }: Sandbox): Promise<string> => readFile(join(home, FILE), "utf8");

describe("`outdated`", () => {
  test("shows newer versions of pinned packages, and starts nothing", async () => {
    let downloads = 0;
    await using registry = await startPackageRegistry("mcp-acme", OLD, () => void (downloads += 1), NEW);
    await using sandbox = await setUp(registry);
    const { code, stdout, stderr } = await runCli(["outdated"], { sandbox });
    expect({ code, stdout, stderr, downloads }).toEqual({
      code: 0,
      stdout: "! acme   mcp-acme  1.0.0 → 1.1.0\n· loose  mcp-acme  not pinned (newest: 1.1.0)\n",
      stderr: "  → plugboard upgrade acme\n",
      downloads: 0,
    });
    const one = await runCli(["outdated", "acme", "--json"], { sandbox });
    expect(one.json()).toEqual({
      packages: [
        {
          server: "acme",
          ecosystem: "npm",
          package: "mcp-acme",
          version: "1.0.0",
          latest: "1.1.0",
          state: "outdated",
        },
      ],
    });
    expect(await runCli(["outdated", "remote"], { sandbox })).toMatchObject({ code: 1 });
  });

  test("with --tools shows how the tools of the newer version differ, and writes nothing", async () => {
    await using registry = await startPackageRegistry("mcp-acme", OLD, () => {}, NEW);
    await using sandbox = await setUp(registry);
    const { code, stdout } = await runCli(["outdated", "acme", "--tools"], { sandbox });
    expect(code).toBe(0);
    expect(stdout).toContain("acme: the tools differ.");
    expect(stdout).toContain("  echo changed\n    description\n");
    expect(stdout).toContain("-Echoes.");
    expect(stdout).toContain("+Echoes loudly.");
    expect(stdout).toContain("  added new\n");
    expect(stdout).toContain("  old gone\n");
    expect(await configOf(sandbox)).toBe(CONFIG);
  });

  test("fails if the package index cannot be reached, and says so", async () => {
    await using sandbox = await setUp({ url: "http://127.0.0.1:9" });
    const { code, stdout } = await runCli(["outdated", "acme"], { sandbox });
    expect(code).toBe(1);
    expect(stdout).toContain(
      "acme  mcp-acme  unknown: The package index at http://127.0.0.1:9 cannot be used",
    );
  });
});

describe("`upgrade`", () => {
  test("shows the change and the tools, and keeps everything else in the entry", async () => {
    await using registry = await startPackageRegistry("mcp-acme", OLD, () => {}, NEW);
    await using sandbox = await setUp(registry);
    const refused = await runCli(["upgrade", "acme"], { sandbox });
    expect(refused).toMatchObject({ code: 3, stdout: expect.stringContaining('+    "mcp-acme@1.1.0"') });
    expect(refused.stderr).toContain("then add --yes");
    expect(await configOf(sandbox)).toBe(CONFIG);

    const upgraded = await runCli(["upgrade", "acme", "--tools", "--yes"], { sandbox });
    expect(upgraded).toMatchObject({ code: 0, stdout: expect.stringContaining("  added new\n") });
    expect(upgraded.stdout).toContain('✓ "acme" uses version 1.1.0');
    expect(await configOf(sandbox)).toBe(CONFIG.replace("mcp-acme@1.0.0", "mcp-acme@1.1.0"));
    const called = await runCli(["call", "acme", "echo"], { sandbox });
    expect(called).toMatchObject({ code: 0, stdout: "called\n" });
    expect(await runCli(["upgrade", "acme", "--yes"], { sandbox })).toMatchObject({
      code: 0,
      stdout: '· "acme" already uses the newest version.\n',
    });
  });

  test("pins a package without a version, and goes back to an older one", async () => {
    await using registry = await startPackageRegistry("mcp-acme", OLD, () => {}, NEW);
    await using sandbox = await setUp(registry);
    await runCli(["upgrade", "loose", "--yes"], { sandbox });
    expect(await configOf(sandbox)).toContain('"mcp-acme@1.1.0"');
    await runCli(["upgrade", "loose", "--to", "1.0.0", "--yes"], { sandbox });
    expect(await configOf(sandbox)).not.toContain('"mcp-acme@1.1.0"');
    expect(await runCli(["upgrade", "loose", "--to", "1.0.0 -c id"], { sandbox })).toMatchObject({ code: 2 });
  });

  test("starts nothing that is not approved, and approves nothing", async () => {
    await using registry = await startPackageRegistry("mcp-acme", OLD, () => {}, NEW);
    await using sandbox = await setUp(registry);
    const server = { command: "npx", args: ["-y", "mcp-acme@1.0.0"] };
    await sandbox.writeProject(FILE, { mcpServers: { theirs: server } });
    const upgraded = await runCli(["upgrade", "theirs", "--tools", "--yes"], { sandbox });
    expect(upgraded.stdout).toContain("The tools of theirs cannot be compared");
    const { stdout } = await runCli(["list", "--json"], { sandbox });
    const { servers } = JSON.parse(stdout) as { servers: { name: string; state: string }[] };
    expect(servers.find(({ name }) => name === "theirs")?.state).toBe("untrusted");
  });
});
