import { existsSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reportTests } from "../durability/counts.ts";
import { startPackageRegistry } from "../support/package-registry.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { failureOf, hostIn } from "./host-in.ts";
import { approve, type Probe, probe, probeFile, probeServer, writeTrap } from "./launch-code.ts";

reportTests("launches in a hostile folder: only code that the entry identifies is run");

/** Programs and packages with the names that the servers below use. */
async function writeHostileRepository(sandbox: Sandbox): Promise<void> {
  for (const name of ["mcp-acme", "node", "sh", "env"]) await writeTrap(sandbox, `node_modules/.bin/${name}`);
  await writeTrap(sandbox, "bin.sh");
  const bin = { "mcp-acme": "bin.sh" };
  await sandbox.writeProject("package.json", { name: "mcp-acme", version: "9.9.9", bin });
  await sandbox.writeProject(".npmrc", "registry=http://127.0.0.1:9/\nscript-shell=./node_modules/.bin/sh\n");
  await sandbox.writeProject(
    "node_modules/hook/index.js",
    `require("fs").writeFileSync(${JSON.stringify(join(sandbox.home, "ran"))}, "")`,
  );
}

async function probeUser(sandbox: Sandbox, entry: object): Promise<Probe> {
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { acme: { env: { PROBE_FILE: probeFile(sandbox) }, ...entry } },
  });
  const bin = join(sandbox.home, "bin");
  const env = { ...sandbox.env(), PATH: `${bin}:${sandbox.env()["PATH"]}` };
  await using host = await hostIn(sandbox, { env });
  return await probe(sandbox, host, "acme");
}

const NPX_LINES: [string, string[]][] = [
  ["sh", ["-c", "npx -y mcp-acme 'a b' '$HOME'"]],
  ["sh", ["-c", "X=1 exec npx -y mcp-acme 'a b' '$HOME'"]],
  ["sh", ["-c", "true && npx -y mcp-acme 'a b' '$HOME'"]],
  ["nice", ["sh", "-c", "npx -y mcp-acme 'a b' '$HOME'"]],
  ["env", ["-S", "npx -y mcp-acme 'a b' '$HOME'"]],
  ["env", ["-C", ".", "npx", "-y", "mcp-acme", "a b", "$HOME"]],
  ["npx", ["-y", "mcp-acme", "--stdio", "npx -y mcp-acme 'a b' '$HOME'"]],
];

/** A package whose program starts another one, as a proxy does, or is a probe. */
const PROXY = `#!/usr/bin/env node
import { spawnSync } from "node:child_process";
if (process.argv[2] === "--stdio")
  process.exit(spawnSync("sh", ["-c", process.argv[3]], { stdio: "inherit" }).status ?? 1);
${probeServer("published").replace(/^#!.*/, "")}`;

test.each(NPX_LINES)(
  "a user's %s %j runs the published package, and nothing from the repository",
  async (command, args) => {
    await using sandbox = await createSandbox();
    await using registry = await startPackageRegistry("mcp-acme", PROXY);
    await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
    await writeHostileRepository(sandbox);
    const { who, cwd, args: given, path } = await probeUser(sandbox, { command, args });
    expect({ who, cwd }).toEqual({ who: "published", cwd: sandbox.project });
    expect(given).toEqual(["a b", "$HOME"]);
    expect(path.filter((folder) => folder.startsWith(sandbox.project))).toEqual([]);
  },
  60_000,
);

test("npx runs nothing from the repository if an unknown program starts it", async () => {
  await using sandbox = await createSandbox();
  await using registry = await startPackageRegistry("mcp-acme", probeServer("published"));
  await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
  await writeHostileRepository(sandbox);
  await chmod(await sandbox.writeHome("bin/starts-things", `#!/bin/sh\nshift\nexec "$@"\n`), 0o755);
  const entry = { command: "starts-things", args: ["--quietly", "npx", "-y", "mcp-acme"] };
  const { who, cwd, path } = await probeUser(sandbox, entry);
  expect({ who, cwd }).toEqual({ who: "published", cwd: sandbox.project });
  expect(path.filter((folder) => folder.startsWith(sandbox.project))).toEqual([]);
}, 60_000);

test("packages above Plugboard's cache folder are not run", async () => {
  await using sandbox = await createSandbox();
  await using registry = await startPackageRegistry("mcp-acme", probeServer("published"));
  await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
  for (const name of ["mcp-acme", "node", "env"]) {
    const trap = await sandbox.writeHome(`node_modules/.bin/${name}`, `#!/bin/sh\nexit 7\n`);
    await chmod(trap, 0o755);
  }
  await sandbox.writeHome("package.json", { name: "above", version: "1.0.0" });
  const { who, path } = await probeUser(sandbox, { command: "npx", args: ["-y", "mcp-acme"] });
  expect(who).toBe("published");
  expect(path).not.toContain(join(sandbox.home, "node_modules", ".bin"));
}, 60_000);

const NODE_LINES: [string, string[]][] = [
  ["node", ["-e", "require('hook')"]],
  ["node", ["--eval=require('hook')"]],
  ["node", ["-pe", "require('hook')"]],
  ["node", ["--input-type=module", "-e", "import 'hook'"]],
  ["nice", ["node", "-r", "hook", "-e", "0"]],
  ["node", ["--unheard-of", "value", "--import", "hook", "/x.mjs"]],
  ["sh", ["-c", "node -r hook /x.mjs"]],
];

test.each(NODE_LINES)(
  "a user's %s %j, which would load a package of the working folder, is refused",
  async (command, args) => {
    await using sandbox = await createSandbox();
    await writeHostileRepository(sandbox);
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { acme: { command, args } } });
    await using host = await hostIn(sandbox);
    expect(await failureOf(host.doctor.test("acme"))).toMatchObject({
      code: "CONNECT_FAILED",
      message: 'Failed to connect to "acme": node would load "hook" from the working folder',
    });
    expect(existsSync(join(sandbox.home, "ran"))).toBe(false);
  },
);

test("NODE_OPTIONS of a user's entry that would load a package of the working folder is refused", async () => {
  await using sandbox = await createSandbox();
  await writeHostileRepository(sandbox);
  const entry = { command: "node", args: ["/x.mjs"], env: { NODE_OPTIONS: "--require hook" } };
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { acme: entry } });
  await using host = await hostIn(sandbox);
  expect((await failureOf(host.doctor.test("acme"))).message).toContain('NODE_OPTIONS would load "hook"');
  expect(existsSync(join(sandbox.home, "ran"))).toBe(false);
});

test("inline code that names files and modules of Node itself is started as declared", async () => {
  await using sandbox = await createSandbox();
  const server = await sandbox.writeHome("server.mjs", probeServer("own"));
  const code = `require("node:fs"); require("path"); import(${JSON.stringify(server)})`;
  const found = await probeUser(sandbox, { command: "node", args: ["-e", code] });
  expect(found).toMatchObject({ who: "own", cwd: sandbox.project });
});

test("a user's tsx, as a stand-in records it, gets an empty tsconfig.json", async () => {
  await using sandbox = await createSandbox();
  const server = await sandbox.writeHome("server.mjs", probeServer("own"));
  const script = `#!/bin/sh\n[ "$(cat "$TSX_TSCONFIG_PATH")" = "{}" ] || exit 7\nexec node "$1"\n`;
  await chmod(await sandbox.writeHome("bin/tsx", script), 0o755);
  expect((await probeUser(sandbox, { command: "tsx", args: [server] })).who).toBe("own");
});

test("${PWD} in a project's entry means the project's folder in a nested repository", async () => {
  await using sandbox = await createSandbox();
  const nested = join(sandbox.project, "nested");
  await mkdir(nested);
  await sandbox.writeProject("server.mjs", probeServer("project"));
  await sandbox.writeProject("nested/server.mjs", probeServer("nested"));
  const env = { PROBE_FILE: probeFile(sandbox) };
  for (const variable of ["PWD", "INIT_CWD", "SOME_FOLDER"]) {
    const entry = { command: "node", args: [`\${${variable}}/server.mjs`], env };
    await sandbox.writeProject(".mcp.json", { mcpServers: { acme: entry } });
    const variables = { ...sandbox.env(), [variable]: nested };
    await using host = await hostIn(sandbox, { cwd: nested, env: variables });
    await approve(host, "acme");
    expect((await probe(sandbox, host, "acme")).who).toBe("project");
  }
});

test("the launch shown for approval marks unresolved paths, and expands ~/", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: {
      home: { command: "node", args: ["~/x.mjs"] },
      set: { command: "node", args: ["${TOOLS}/x.mjs"] },
      unset: { command: "node", args: ["${NOT_SET}/x.mjs"] },
      folder: { command: "x", cwd: "~other/x" },
    },
  });
  await using host = await hostIn(sandbox, { env: { ...sandbox.env(), TOOLS: "/opt/tools" } });
  const startsOf = async (name: string): Promise<string | undefined> =>
    (await host.approvals.inspect(name)).starts;
  expect(await startsOf("home")).toBe(`node ${join(sandbox.home, "x.mjs")}`);
  expect(await startsOf("set")).toBeUndefined();
  expect(await startsOf("unset")).toContain(
    'nothing, because "args" is a path with an unresolved placeholder: ${NOT_SET}',
  );
  expect(await startsOf("folder")).toContain(
    'nothing, because "cwd" is a path with an unresolved placeholder: ~other',
  );
  expect((await host.config.explain("unset")).reasons.join("\n")).toContain("starts: nothing, because");
  expect((await host.doctor.checkPrograms("unset")).map(({ message }) => message).join()).toContain(
    "unresolved placeholder",
  );
});
