import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startPackageRegistry } from "../support/package-registry.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";

const SERVER = new URL("../servers/raw-server.mjs", import.meta.url).pathname;
const SCRIPT = `#!/usr/bin/env node\nawait import(${JSON.stringify(SERVER)});\n`;

test("`lock` records launch, package and integrity, and `verify` finds every change offline", async () => {
  await using sandbox = await createSandbox();
  const config = (args: string[]) => ({ mcpServers: { acme: { command: "npx", args } } });
  {
    await using registry = await startPackageRegistry("mcp-acme", SCRIPT);
    await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
    await sandbox.writeHome(".plugboard/mcp.json", config(["-y", "mcp-acme@1.0.0"]));
    expect(await runCli(["test", "acme"], { sandbox })).toMatchObject({ code: 0 });
  }
  // The registry has stopped: from here on, everything is offline.
  const missing = await runCli(["verify", "--scope", "user"], { sandbox });
  expect(missing).toMatchObject({ code: 1, stdout: expect.stringContaining("does not exist") });

  const locked = await runCli(["lock", "--scope", "user", "--json"], { sandbox });
  expect(locked.json()).toMatchObject({ servers: ["acme"] });
  const file = join(sandbox.home, ".plugboard", "mcp.lock.json");
  const text = await readFile(file, "utf8");
  const { acme } = (JSON.parse(text) as { servers: Record<string, Record<string, unknown>> }).servers;
  expect(acme).toMatchObject({
    launch: expect.stringMatching(/^[0-9a-f]{64}$/),
    package: {
      ecosystem: "npm",
      name: "mcp-acme",
      version: "1.0.0",
      integrity: expect.stringMatching(/^sha\d+-/),
    },
  });
  expect(await runCli(["verify", "--scope", "user"], { sandbox })).toMatchObject({ code: 0 });
  expect(await runCli(["verify", "--scope", "user"], { sandbox })).toMatchObject({
    stdout: "✓ Every server matches ~/.plugboard/mcp.lock.json.\n",
  });
  expect(await runCli(["lock", "--scope", "user"], { sandbox })).toMatchObject({
    stdout: "✓ Locked 1 server in ~/.plugboard/mcp.lock.json.\n",
  });
  expect(await readFile(file, "utf8")).toBe(text);

  await writeFile(
    file,
    text.replace(/"integrity": "sha\d+-./, (found) => `${found.slice(0, -1)}!`),
  );
  const changed = await runCli(["verify", "--scope", "user", "--json"], { sandbox });
  expect(changed.code).toBe(1);
  expect(changed.json()).toMatchObject({
    matches: false,
    differences: [{ server: "acme", kind: "package" }],
  });

  await writeFile(file, text);
  await sandbox.writeHome(".plugboard/mcp.json", config(["-y", "mcp-acme@1.0.1"]));
  const sarif = await runCli(["verify", "--scope", "user", "--sarif"], { sandbox });
  expect(sarif.code).toBe(1);
  const report = JSON.parse(sarif.stdout) as Record<string, unknown>;
  expect(report).toMatchObject({
    version: "2.1.0",
    $schema: expect.stringContaining("sarif-2.1.0"),
    runs: [
      {
        tool: { driver: { name: "plugboard", rules: expect.arrayContaining([{ id: "lock-launch" }]) } },
        results: expect.arrayContaining([
          expect.objectContaining({
            ruleId: "lock-launch",
            level: "error",
            message: { text: "acme: its launch has changed" },
          }),
        ]),
      },
    ],
  });
}, 60_000);

test("`verify` reports an invalid lock file with its line", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.lock.json", '{\n  "lockfileVersion": 9,\n  "servers": {}\n}\n');
  const { code, stdout } = await runCli(["verify", "--scope", "user"], { sandbox });
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringMatching(/mcp\.lock\.json:2:3.*"lockfileVersion" must be 1/),
  });
});

test("`lock` in a project without servers names the option for your own servers", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { acme: { command: "true" } } });
  expect(await runCli(["lock"], { sandbox })).toMatchObject({
    code: 0,
    stderr: "The project defines no servers. For your own servers: plugboard lock --scope user\n",
  });
  const own = await runCli(["lock", "--scope", "user"], { sandbox });
  expect(own.stdout).toContain("Locked 1 server in ");
});
