import { createHash } from "node:crypto";
import { chmod, copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { HostOptions } from "../../src/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { hostIn } from "./host-in.ts";

const SPEC = "acme-server@1.2.3";
const ENTRY = { command: "npx", args: ["-y", SPEC, "--behave", "noise"] };
const raw = fileURLToPath(new URL("../servers/raw-server.mjs", import.meta.url));

/** A home with that package in npm's cache, and an `npx` that records its use. */
async function prepare(sandbox: Sandbox): Promise<{ env: Record<string, string>; program: string }> {
  const hash = createHash("sha512").update(SPEC).digest("hex").slice(0, 16);
  const folder = `.npm/_npx/${hash}/node_modules`;
  const program = join(sandbox.home, folder, "acme-server", "cli.mjs");
  const [name, version] = ["acme-server", "1.2.3"];
  await sandbox.writeHome(`.npm/_npx/${hash}/package.json`, { _npx: { packages: [SPEC] } });
  await sandbox.writeHome(`${folder}/.package-lock.json`, {
    packages: { "node_modules/acme-server": { version } },
  });
  await sandbox.writeHome(`${folder}/acme-server/package.json`, { name, version, bin: "cli.mjs" });
  await sandbox.writeHome(`${folder}/acme-server/cli.mjs`, `#!/usr/bin/env node\nimport "./server.mjs";\n`);
  await copyFile(raw, join(dirname(program), "server.mjs"));
  const npx = await sandbox.writeHome(
    "bin/npx",
    `#!/bin/sh\necho through npx >&2\ncase $1 in --prefix=*) shift ;; esac\nshift 2\nexec node "${program}" "$@"\n`,
  );
  await chmod(npx, 0o755);
  await mkdir(join(sandbox.home, folder, ".bin"), { recursive: true });
  const env = sandbox.env();
  return { env: { ...env, PATH: `${join(sandbox.home, "bin")}:${env["PATH"]}` }, program };
}

/** Returns what `test` reports as started, and what the server's log shows. */
async function startedIn(sandbox: Sandbox, options: HostOptions): Promise<[string, boolean]> {
  await using host = await hostIn(sandbox, options);
  const { started } = await host.doctor.test("acme");
  await host.close("acme");
  const lines = (await host.doctor.logs("acme")).flatMap((run) => run.lines.map(({ text }) => text));
  expect(lines).toContain("[info] this is not JSON"); // its arguments arrived
  return [[started?.command, ...(started?.args ?? [])].join(" "), lines.includes("through npx")];
}

test("a package in npm's cache is started without npx, which is shown", async () => {
  await using sandbox = await createSandbox();
  const { env, program } = await prepare(sandbox);
  const servers = { acme: ENTRY };
  expect(await startedIn(sandbox, { env, servers })).toEqual([`node ${program} --behave noise`, false]);
  await using host = await hostIn(sandbox, { env, servers });
  expect((await host.config.explain("acme")).reasons).toContain(
    `starts: node ${program} --behave noise (${SPEC} from npm's cache, without npx; setting "npxFromCache")`,
  );
});

test("a command line among the arguments of such a package uses nothing from the working folder", async () => {
  await using sandbox = await createSandbox();
  const { env, program } = await prepare(sandbox);
  const args = ["-y", SPEC, "--stdio", "uvx acme"];
  await using host = await hostIn(sandbox, { env, servers: { acme: { ...ENTRY, args } } });
  expect((await host.approvals.inspect("acme")).starts).toContain(
    `node ${program} --stdio uvx --no-config acme (`,
  );
});

test("npx is started if the setting requires it, and behind a wrapper", async () => {
  await using sandbox = await createSandbox();
  const { env } = await prepare(sandbox);
  const servers = { acme: ENTRY };
  expect(await startedIn(sandbox, { env, servers, settings: { npxFromCache: false } })).toEqual([
    `npx -y ${SPEC} --behave noise`,
    true,
  ]);
  const wrapped = { acme: { ...ENTRY, wrap: ["env", "X=1"] } };
  expect(await startedIn(sandbox, { env, servers: wrapped })).toEqual([
    `env X=1 npx --prefix=/ -y ${SPEC} --behave noise`,
    true,
  ]);
});

test("a project's server is started through npx, and its approval covers what it declares", async () => {
  await using sandbox = await createSandbox();
  const { env } = await prepare(sandbox);
  await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { acme: ENTRY } });
  {
    await using host = await hostIn(sandbox, { env });
    const { hash } = host.approvals.request("acme");
    await host.approvals.approve("acme", hash);
    expect((await host.config.explain("acme")).reasons.join("\n")).not.toContain("npm's cache");
  }
  expect(await startedIn(sandbox, { env })).toEqual([`npx -y ${SPEC} --behave noise`, true]);
});
