import { execFile } from "node:child_process";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { eventually } from "../flow/host-in.ts";
import { findStragglers } from "../support/find-stragglers.ts";
import { startPackageRegistry } from "../support/package-registry.ts";
import { runCli, startCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const SPEC = "mcp-acme@1.0.0";
const raw = fileURLToPath(new URL("../servers/raw-server.mjs", import.meta.url));
const SCRIPT = `#!/usr/bin/env node
if (process.argv[2] === "--hello") console.log("hello");
else await import(${JSON.stringify(raw)});
`;

async function npx(sandbox: Sandbox): Promise<string> {
  const env = sandbox.env();
  return (await promisify(execFile)("npx", ["-y", SPEC, "--hello"], { cwd: "/", env })).stdout.trim();
}

test("killing the program during an installation leaves no process, and npx and the next start work", async () => {
  await using sandbox = await createSandbox();
  let downloads = 0;
  let letGo = (): void => {};
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await using registry = await startPackageRegistry("mcp-acme", SCRIPT, () => {
    downloads += 1;
    return free;
  });
  await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { acme: { command: "npx", args: ["-y", SPEC] } },
  });
  await using cli = startCli(["test", "acme"], { sandbox });
  await eventually(() => expect(downloads).toBe(1));
  cli.child.kill("SIGKILL");
  await cli.ended;
  await eventually(() => expect(findStragglers(`HOME=${sandbox.home}`)).toEqual([]));
  letGo();
  expect(await npx(sandbox)).toBe("hello");
  await rm(join(sandbox.home, ".npm", "_npx"), { recursive: true });
  expect(await runCli(["test", "acme"], { sandbox })).toMatchObject({ code: 0 });
  expect(await readdir(join(sandbox.home, ".npm", "_plugboard"))).toEqual([]);
}, 120_000);

test("doctor reports a package that npm left incomplete, and --fix removes it after asking", async () => {
  await using sandbox = await createSandbox();
  await using registry = await startPackageRegistry("mcp-acme", SCRIPT);
  await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { acme: { command: "npx", args: ["-y", SPEC] } },
  });
  await npx(sandbox);
  const [hash = ""] = await readdir(join(sandbox.home, ".npm", "_npx"));
  const folder = join(sandbox.home, ".npm", "_npx", hash);
  await rm(join(folder, "package.json"));

  const failed = await runCli(["test", "acme"], { sandbox });
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain("npm's copy of mcp-acme@1.0.0 is incomplete (package.json is missing)");
  expect(failed.stderr).toContain("plugboard doctor acme --fix");

  const found = await runCli(["doctor"], { sandbox });
  expect(found.code).toBe(1);
  expect(found.stdout).toContain("npm's copy of mcp-acme@1.0.0 is incomplete");

  const unasked = await runCli(["doctor", "--fix"], { sandbox });
  expect(unasked).toMatchObject({ code: 3, stderr: expect.stringContaining("--yes") });
  expect(await readdir(join(sandbox.home, ".npm", "_npx"))).toEqual([hash]);

  const fixed = await runCli(["doctor", "--fix", "--yes", "--json"], { sandbox });
  expect(fixed.json()).toMatchObject({ removed: [{ server: "acme", package: SPEC, folder }] });
  expect(await readdir(join(sandbox.home, ".npm", "_npx"))).toEqual([]);
  expect((await runCli(["doctor", "--fix"], { sandbox })).stdout).toContain("Nothing to fix");
  expect(await runCli(["test", "acme"], { sandbox })).toMatchObject({ code: 0 });
}, 120_000);

test("a stale folder of an installation that was killed earlier is replaced", async () => {
  await using sandbox = await createSandbox();
  await using registry = await startPackageRegistry("mcp-acme", SCRIPT);
  await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { acme: { command: "npx", args: ["-y", SPEC] } },
  });
  await npx(sandbox);
  const [hash = ""] = await readdir(join(sandbox.home, ".npm", "_npx"));
  await rm(join(sandbox.home, ".npm", "_npx"), { recursive: true });
  const left = join(sandbox.home, ".npm", "_plugboard", hash, "_npx", hash, "node_modules", "mcp-acme");
  await mkdir(left, { recursive: true });
  expect(await runCli(["test", "acme"], { sandbox })).toMatchObject({ code: 0 });
  expect(await npx(sandbox)).toBe("hello");
}, 120_000);
