import { chmod, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { HostOptions } from "../../src/index.ts";
import { reportTests } from "../durability/counts.ts";
import { startPackageRegistry } from "../support/package-registry.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { failureOf, hostIn } from "./host-in.ts";
import { approve, type Probe, probe, probeFile, probeServer, writeTrap } from "./launch-code.ts";

reportTests("launches in a hostile folder: only code that the entry identifies is run");

/** Everything with which a repository could make npx, or a program that npx starts, run its code. */
async function writeHostileRepository(sandbox: Sandbox): Promise<void> {
  for (const name of ["mcp-acme", "node", "sh", "env"]) await writeTrap(sandbox, `node_modules/.bin/${name}`);
  await writeTrap(sandbox, "bin.sh");
  await sandbox.writeProject("package.json", {
    name: "mcp-acme",
    version: "9.9.9",
    bin: { "mcp-acme": "bin.sh" },
  });
  await sandbox.writeProject(".npmrc", "registry=http://127.0.0.1:9/\nscript-shell=./node_modules/.bin/sh\n");
}

async function probeUser(sandbox: Sandbox, entry: object, options: HostOptions = {}): Promise<Probe> {
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { acme: { env: { PROBE_FILE: probeFile(sandbox) }, ...entry } },
  });
  await using host = await hostIn(sandbox, options);
  return await probe(sandbox, host, "acme");
}

const NPX_LINES: [string, string[]][] = [
  ["npx", ["-y", "mcp-acme", "a b", "$HOME"]],
  ["npx", ["--yes", "--package=mcp-acme", "--", "mcp-acme", "a b", "$HOME"]],
  ["npm", ["exec", "--yes", "--", "mcp-acme", "a b", "$HOME"]],
  ["npm", ["x", "--yes", "--package", "mcp-acme", "--call", "mcp-acme 'a b' '$HOME'"]],
  ["env", ["A=b", "npx", "-y", "mcp-acme@1", "a b", "$HOME"]],
];

test.each(NPX_LINES)(
  "a user's %s %j runs the published package in the working folder, and nothing from the repository",
  async (command, args) => {
    await using sandbox = await createSandbox();
    await using registry = await startPackageRegistry("mcp-acme", probeServer("published"));
    await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
    await writeHostileRepository(sandbox);
    const { who, cwd, args: given, path } = await probeUser(sandbox, { command, args });
    expect({ who, cwd }).toEqual({ who: "published", cwd: sandbox.project });
    expect(given).toEqual(["a b", "$HOME"]);
    expect(path.filter((folder) => folder.startsWith(sandbox.project))).toEqual([]);
  },
  60_000,
);

test("a declared cwd that depends on the working folder makes no difference", async () => {
  await using sandbox = await createSandbox();
  await using registry = await startPackageRegistry("mcp-acme", probeServer("published"));
  await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
  await writeHostileRepository(sandbox);
  const entry = { command: "npx", args: ["-y", "mcp-acme"], cwd: "." };
  expect(await probeUser(sandbox, entry)).toMatchObject({ who: "published", cwd: sandbox.project });
}, 60_000);

test.each([
  [{ wrap: ["env", "A=b"], command: "npx", args: ["-y", "mcp-acme"] }],
  [{ command: "timeout", args: ["60", "npx", "-y", "mcp-acme"] }],
])(
  "behind a wrapper, npx runs nothing from the repository either: %j",
  async (entry) => {
    await using sandbox = await createSandbox();
    await using registry = await startPackageRegistry("mcp-acme", probeServer("published"));
    await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
    await writeHostileRepository(sandbox);
    const { who, cwd, path } = await probeUser(sandbox, entry);
    expect({ who, cwd }).toEqual({ who: "published", cwd: sandbox.project });
    expect(path.filter((folder) => folder.startsWith(sandbox.project))).toEqual([]);
  },
  60_000,
);

/** A repository that has the server among its own packages. */
async function writeOwnPackage(sandbox: Sandbox, folder: string, who: string): Promise<void> {
  const file = await sandbox.writeProject(`${folder}node_modules/.bin/mcp-acme`, probeServer(who));
  await chmod(file, 0o755);
}

const ENTRY = { command: "npx", args: ["--no", "mcp-acme"] };

test("a user's server runs the project's packages only if the user's own file says so", async () => {
  await using sandbox = await createSandbox();
  await writeOwnPackage(sandbox, "", "project");
  await sandbox.writeProject("node_modules/.bin/package.json", { type: "module" });
  const env = { PROBE_FILE: probeFile(sandbox) };
  await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { eslint: { ...ENTRY, env } } });
  await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: {}, resolveInProject: ["eslint", "acme"] });
  expect(await probeUser(sandbox, { ...ENTRY, env, resolveInProject: true })).toMatchObject({
    who: "project",
    cwd: sandbox.project,
  });
  {
    await using host = await hostIn(sandbox);
    await expect(host.doctor.test("eslint")).rejects.toThrow("Failed to connect");
    expect(
      host
        .snapshot()
        .problems.map(({ message }) => message)
        .join("\n"),
    ).toContain('"resolveInProject" works only in your own config file');
  }
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: {}, resolveInProject: ["eslint"] });
  await using host = await hostIn(sandbox);
  expect((await probe(sandbox, host, "eslint")).who).toBe("project");
}, 60_000);

test("an approved project's npx resolves in the folder that declares it, not in a nested one", async () => {
  await using sandbox = await createSandbox();
  const nested = join(sandbox.project, "nested");
  await mkdir(join(nested, ".git"), { recursive: true });
  for (const [folder, who] of [
    ["", "project"],
    ["nested/", "nested"],
  ] as const) {
    await writeOwnPackage(sandbox, folder, who);
    await sandbox.writeProject(`${folder}node_modules/.bin/package.json`, { type: "module" });
  }
  await writeTrap(sandbox, "nested/node_modules/.bin/node");
  await writeTrap(sandbox, "nested/node_modules/.bin/sh");
  const env = { PROBE_FILE: probeFile(sandbox) };
  await sandbox.writeProject(".mcp.json", { mcpServers: { acme: { ...ENTRY, env } } });
  await using host = await hostIn(sandbox, { cwd: nested });
  await approve(host, "acme");
  expect(await probe(sandbox, host, "acme")).toMatchObject({ who: "project", cwd: nested });
  expect((await host.config.explain("acme")).reasons.join("\n")).toContain(
    `with the packages and settings of ${sandbox.project}`,
  );
}, 60_000);

/** A runner that is not installed here: records how it was started, then becomes the server. */
async function installStandIn(sandbox: Sandbox, name: string): Promise<Record<string, string>> {
  const server = await sandbox.writeHome("lib/server.mjs", probeServer("stand-in"));
  const script = `#!/bin/sh\nenv > "$RECORD"; printf '%s\\n' "$@" > "$RECORD.args"; pwd > "$RECORD.cwd"\nexec node "${server}"\n`;
  const file = await sandbox.writeHome(`bin/${name}`, script);
  await chmod(file, 0o755);
  const env = sandbox.env();
  return { ...env, PATH: `${join(sandbox.home, "bin")}:${env["PATH"]}` };
}

async function startStandIn(
  sandbox: Sandbox,
  command: string,
  args: readonly string[],
): Promise<{ args: string[]; cwd: string; env: string }> {
  const env = await installStandIn(sandbox, command);
  const record = join(sandbox.home, "record");
  await probeUser(sandbox, { command, args, env: { RECORD: record } }, { env }).catch((error: unknown) => {
    if (!String(error).includes("probe.json")) throw error;
  });
  const read = (end: string): Promise<string> => readFile(record + end, "utf8");
  return {
    args: (await read(".args")).trim().split("\n"),
    cwd: (await read(".cwd")).trim(),
    env: await read(""),
  };
}

test("a user's uvx, as a stand-in records it, reads no settings of the working folder", async () => {
  await using sandbox = await createSandbox();
  const { args, cwd } = await startStandIn(sandbox, "uvx", ["mcp-server-git", "--repository", "."]);
  expect(args).toEqual(["--no-config", "mcp-server-git", "--repository", "."]);
  expect(cwd).toBe(sandbox.project);
});

test("a user's uvx, as a stand-in records it, keeps the user's own settings", async () => {
  await using sandbox = await createSandbox();
  const file = await sandbox.writeHome(".config/uv/uv.toml", "");
  const { args } = await startStandIn(sandbox, "uvx", ["mcp-server-git"]);
  expect(args).toEqual(["--no-config", `--config-file=${file}`, "mcp-server-git"]);
});

test("a user's pnpm dlx, as a stand-in records it, resolves in a folder without packages", async () => {
  await using sandbox = await createSandbox();
  const { args, cwd, env } = await startStandIn(sandbox, "pnpm", ["dlx", "mcp-acme"]);
  expect(args).toEqual(["--ignore-workspace", "--dir=/", "dlx", "mcp-acme"]);
  expect(cwd).toBe(sandbox.project);
  expect(env).toContain("COREPACK_ENABLE_PROJECT_SPEC=0");
});

test.each([
  ["bunx", ["mcp-acme"]],
  ["bun", ["x", "mcp-acme"]],
  ["yarn", ["dlx", "mcp-acme"]],
])(
  "a user's %s %j, as a stand-in records it, starts outside and the server in the working folder",
  async (command, words) => {
    await using sandbox = await createSandbox();
    const { args, cwd, env } = await startStandIn(sandbox, command, words);
    expect(args).toEqual(words);
    expect(cwd).toBe("/");
    expect(env).toContain(`PLUGBOARD_SERVER_FOLDER=${sandbox.project}`);
    expect(env).toContain("enter-folder.cjs");
  },
);

test.each([
  ["yarn", "--cwd"],
  ["pnpm", "-C"],
])("a user's %s %s <folder>, as a stand-in records it, starts in that folder", async (command, option) => {
  await using sandbox = await createSandbox();
  const folder = join(sandbox.home, "server");
  await mkdir(folder);
  await sandbox.writeProject(".yarnrc.yml", "yarnPath: ./trap.cjs\n");
  const { args, cwd } = await startStandIn(sandbox, command, [option, folder, "start"]);
  expect({ args, cwd }).toEqual({ args: [option, folder, "start"], cwd: folder });
});

test("a user's cargo run for another folder is refused if the working folder has settings for cargo", async () => {
  await using sandbox = await createSandbox();
  const args = ["run", "--manifest-path", join(sandbox.home, "server", "Cargo.toml")];
  expect(await startStandIn(sandbox, "cargo", args)).toMatchObject({ args, cwd: sandbox.project });
  await sandbox.writeProject(".cargo/config.toml", '[build]\nrustc-wrapper = "./trap.sh"\n');
  await using host = await hostIn(sandbox, { env: await installStandIn(sandbox, "cargo") });
  expect(await failureOf(host.doctor.test("acme"))).toMatchObject({
    code: "CONNECT_FAILED",
    message: expect.stringContaining(join(".cargo", "config.toml")),
    hint: expect.stringContaining('Set "cwd"'),
  });
});

test("a user's pipx run, as a stand-in records it, never runs a file of the app's name", async () => {
  await using sandbox = await createSandbox();
  const { args } = await startStandIn(sandbox, "pipx", ["run", "mcp-server-git==1.0", "x"]);
  expect(args).toEqual(["run", "--spec", "mcp-server-git==1.0", "mcp-server-git", "x"]);
  await mkdir(join(sandbox.project, "__pypackages__"));
  await using host = await hostIn(sandbox, { env: await installStandIn(sandbox, "pipx") });
  expect(await failureOf(host.doctor.test("acme"))).toMatchObject({
    code: "CONNECT_FAILED",
    hint: expect.stringContaining('Set "cwd"'),
  });
});
