import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reportTests } from "../durability/counts.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { failureOf, hostIn } from "./host-in.ts";
import { approve, type Probe, probe, probeFile, probeServer, writeTrap } from "./launch-code.ts";

reportTests("launches in a hostile folder: only code that the entry identifies is run");

/** Tests with real Python need 3.11. */
const pythonIsNew = (() => {
  try {
    const version = execFileSync("python3", ["-c", "import sys; print(sys.version_info >= (3, 11))"]);
    return version.toString().trim() === "True";
  } catch {
    return false;
  }
})();
if (!pythonIsNew) console.warn("skipped: tests with real Python need python3 3.11 or newer");

/** Not every system has all of the programs below. */
function isInstalled(program: string): boolean {
  return (process.env["PATH"] ?? "").split(":").some((folder) => existsSync(join(folder, program)));
}

const ENTRY = { command: "python3", args: ["-m", "mcp_probe"] };

/** A module `mcp_probe` that becomes a probe server. */
function module(server: string): string {
  return `import os\nos.execvp("node", ["node", ${JSON.stringify(server)}])\n`;
}

/** The module as the user installed it, and another one of its name in the repository. */
async function writeModules(sandbox: Sandbox): Promise<{ PROBE_FILE: string; PYTHONPATH: string }> {
  const good = await sandbox.writeHome("lib/server.mjs", probeServer("installed"));
  await sandbox.writeHome("lib/mcp_probe.py", module(good));
  const bad = await sandbox.writeHome("bad/server.mjs", probeServer("repository"));
  await sandbox.writeProject("mcp_probe.py", module(bad));
  return { PROBE_FILE: probeFile(sandbox), PYTHONPATH: join(sandbox.home, "lib") };
}

async function probeUser(sandbox: Sandbox, entry: object): Promise<Probe> {
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { acme: entry } });
  await using host = await hostIn(sandbox);
  return await probe(sandbox, host, "acme");
}

const IMPORTS: [string[]][] = [
  [["-m", "mcp_probe"]],
  [["-um", "mcp_probe"]],
  [["-u", "-X", "utf8", "-mmcp_probe"]],
  [["-c", "import mcp_probe"]],
];

test.runIf(pythonIsNew).each(IMPORTS)(
  "a user's python3 %j imports nothing from the working folder",
  async (args) => {
    await using sandbox = await createSandbox();
    const env = await writeModules(sandbox);
    expect(await probeUser(sandbox, { ...ENTRY, args, env })).toMatchObject({
      who: "installed",
      cwd: sandbox.project,
    });
  },
);

const STARTERS: [string, string[]][] = [
  ["nice", ["python3", "-m", "mcp_probe"]],
  ["env", ["-S", "python3 -m mcp_probe"]],
  ["sh", ["-c", "true && exec python3 -m mcp_probe"]],
  ["flock", ["/dev/null", "python3", "-m", "mcp_probe"]],
  ["flock", ["/dev/null", "-c", "exec python3 -m mcp_probe"]],
  ["setpriv", ["--no-new-privs", "python3", "-m", "mcp_probe"]],
  ["prlimit", ["--nofile=256", "python3", "-m", "mcp_probe"]],
];

test.runIf(pythonIsNew).each(STARTERS.filter(([program]) => isInstalled(program)))(
  "behind %s %j, a user's python3 imports nothing from the working folder",
  async (command, args) => {
    await using sandbox = await createSandbox();
    const env = await writeModules(sandbox);
    expect(await probeUser(sandbox, { command, args, env })).toMatchObject({
      who: "installed",
      cwd: sandbox.project,
    });
  },
);

test.runIf(pythonIsNew)(
  "a user's python3 imports from its folder if the entry declares one, or opts in",
  async () => {
    await using sandbox = await createSandbox();
    const env = await writeModules(sandbox);
    expect((await probeUser(sandbox, { ...ENTRY, env, cwd: sandbox.project })).who).toBe("repository");
    expect((await probeUser(sandbox, { ...ENTRY, env, resolveInProject: true })).who).toBe("repository");
  },
);

test.runIf(pythonIsNew)("a script with an absolute path is started as declared", async () => {
  await using sandbox = await createSandbox();
  const env = await writeModules(sandbox);
  const args = [join(sandbox.project, "mcp_probe.py")];
  expect((await probeUser(sandbox, { ...ENTRY, args, env })).who).toBe("repository");
  await using host = await hostIn(sandbox);
  expect((await host.doctor.test("acme")).started?.args).toEqual(args);
});

test.runIf(pythonIsNew)(
  "a project's python3 -m in a nested repository imports the project's module",
  async () => {
    await using sandbox = await createSandbox();
    const env = await writeModules(sandbox);
    const nested = join(sandbox.project, "nested");
    await mkdir(nested);
    await sandbox.writeProject("nested/mcp_probe.py", "raise SystemExit('nested')");
    const mcpServers = { acme: { ...ENTRY, env: { PROBE_FILE: env.PROBE_FILE } } };
    await sandbox.writeProject(".mcp.json", { mcpServers });
    await using host = await hostIn(sandbox, { cwd: nested });
    await approve(host, "acme");
    expect(await probe(sandbox, host, "acme")).toMatchObject({ who: "repository", cwd: nested });
  },
);

test("a simulated Python older than 3.11 is refused with advice", async () => {
  await using sandbox = await createSandbox();
  const file = await sandbox.writeHome(
    "bin/python3",
    `#!/bin/sh\n[ "$1" = -P ] && { echo "Unknown option: -P" >&2; exit 2; }\nexec node "$@"\n`,
  );
  await chmod(file, 0o755);
  const env = { ...sandbox.env(), PATH: `${join(sandbox.home, "bin")}:${sandbox.env()["PATH"]}` };
  await using host = await hostIn(sandbox, { env, servers: { acme: ENTRY } });
  expect(await failureOf(host.doctor.test("acme"))).toEqual({
    code: "CONNECT_FAILED",
    server: "acme",
    message:
      'Failed to connect to "acme": its Python is older than 3.11 and would import modules from the working folder',
    hint: 'Set "cwd" in its entry, or use Python 3.11 or newer.',
  });
});

test.each([["-r"], ["--require"], ["--import"]])(
  "a user's node %s of a package that the working folder would provide is refused",
  async (option) => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject("node_modules/hook/index.js", `require("fs").writeFileSync("ran", "")`);
    const server = await sandbox.writeHome("server.mjs", probeServer("own"));
    const entry = {
      command: "node",
      args: [option, "hook", server],
      env: { PROBE_FILE: probeFile(sandbox) },
    };
    await expect(probeUser(sandbox, entry)).rejects.toThrow('would load "hook" from the working folder');
    await using host = await hostIn(sandbox);
    expect((await host.doctor.checkPrograms("acme")).map(({ message }) => message).join()).toContain(
      'would load "hook" from the working folder',
    );
    expect((await probeUser(sandbox, { ...entry, cwd: sandbox.project })).who).toBe("own");
  },
);

test("a project's make in a nested repository starts in the project's folder", async () => {
  await using sandbox = await createSandbox();
  const nested = join(sandbox.project, "nested");
  await mkdir(nested);
  const server = await sandbox.writeProject("server.mjs", probeServer("project"));
  const bin = await sandbox.writeHome("bin/make", `#!/bin/sh\nexec ./run\n`);
  await chmod(bin, 0o755);
  await chmod(await sandbox.writeProject("run", `#!/bin/sh\nexec node "${server}"\n`), 0o755);
  await writeTrap(sandbox, "nested/run");
  const entry = { command: "make", args: ["mcp"], env: { PROBE_FILE: probeFile(sandbox) } };
  await sandbox.writeProject(".mcp.json", { mcpServers: { acme: entry } });
  const env = { ...sandbox.env(), PATH: `${join(sandbox.home, "bin")}:${sandbox.env()["PATH"]}` };
  await using host = await hostIn(sandbox, { cwd: nested, env });
  await approve(host, "acme");
  expect(await probe(sandbox, host, "acme")).toMatchObject({ who: "project", cwd: sandbox.project });
});
