import { chmod, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createHost } from "../../src/index.ts";
import { reportTests } from "../durability/counts.ts";
import { failureOf } from "../flow/host-in.ts";
import { runProgram, STRANGER, whyNoSecondUser } from "../support/run-program.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

reportTests("hostile home folders, switches, code caches and huge files: no code run, no huge file read");

/** A repository whose config files would run a program that leaves a mark. */
async function hostileRepository(sandbox: Sandbox): Promise<{ wasRun(): Promise<string[]> }> {
  const entry = (name: string) => ({
    mcpServers: {
      [name]: {
        command: process.execPath,
        args: ["-e", `require("node:fs").writeFileSync(${JSON.stringify(join(sandbox.project, name))}, "")`],
      },
    },
  });
  await sandbox.writeProject(".plugboard/mcp.json", entry("ran-native"));
  await sandbox.writeProject(".cursor/mcp.json", entry("ran-cursor"));
  return {
    wasRun: async () => (await readdir(sandbox.project)).filter((name) => name.startsWith("ran-")),
  };
}

function withoutHome(sandbox: Sandbox, home: string | undefined): Record<string, string> {
  const { HOME: _, ...env } = sandbox.env();
  return { ...env, ...(home !== undefined && { HOME: home }) };
}

test.each([
  ["unset", undefined],
  ["empty", ""],
  ["the working folder", "."],
  ["a folder in it", "./"],
  ["a relative folder that leads back to it", "../project"],
])("a repository's servers need approval when HOME is %s", async (_, home) => {
  await using sandbox = await createSandbox();
  const { wasRun } = await hostileRepository(sandbox);
  const options = { cwd: sandbox.project, env: withoutHome(sandbox, home) };
  for (const server of ["ran-native", "ran-cursor"]) {
    const { code, stderr } = await runProgram(["call", server, "anything"], options);
    expect({ code, stderr }).toMatchObject({ code: 3 });
  }
  expect(await wasRun()).toEqual([]);
  expect((await readdir(sandbox.project)).sort()).toEqual([".cursor", ".git", ".plugboard"]);
});

test.each([
  ["the repository", (project: string) => project],
  ["the repository, with a slash", (project: string) => `${project}/`],
  ["the repository, written in another way", (project: string) => `${project}/../project/.`],
  ["a link to the repository", (project: string) => join(project, "..", "link")],
])("a repository's servers need approval when HOME is %s", async (_, homeOf) => {
  await using sandbox = await createSandbox();
  const { wasRun } = await hostileRepository(sandbox);
  await symlink(sandbox.project, join(sandbox.project, "..", "link"));
  const options = { cwd: sandbox.project, env: withoutHome(sandbox, homeOf(sandbox.project)) };
  for (const server of ["ran-native", "ran-cursor"])
    expect(await runProgram(["call", server, "anything"], options)).toMatchObject({ code: 3 });
  expect(await wasRun()).toEqual([]);
});

test("a repository's servers need approval when the working folder is reached through a link", async () => {
  await using sandbox = await createSandbox();
  const { wasRun } = await hostileRepository(sandbox);
  const link = join(sandbox.project, "..", "link");
  await symlink(sandbox.project, link);
  const args = ["--directory", link, "call", "ran-native", "anything"];
  const env = withoutHome(sandbox, sandbox.project);
  expect(await runProgram(args, { cwd: sandbox.home, env })).toMatchObject({ code: 3 });
  expect(await wasRun()).toEqual([]);
});

test.each(["elsewhere", ".", "./.plugboard", "~/x"])(
  "a relative PLUGBOARD_HOME is a usage error: %s",
  async (folder) => {
    await using sandbox = await createSandbox();
    const env = { ...sandbox.env(), PLUGBOARD_HOME: folder };
    const { code, stderr } = await runProgram(["list"], { cwd: sandbox.project, env });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`PLUGBOARD_HOME must be an absolute path, not "${folder}".`),
    });
    expect(await readdir(sandbox.project)).toEqual([".git"]);
  },
);

test.each([".", "home", "", "~"])("a relative home option is rejected: %j", async (home) => {
  await using sandbox = await createSandbox();
  const opening = createHost({ cwd: sandbox.project, env: sandbox.env(), home });
  expect(await failureOf(opening)).toMatchObject({
    code: "USAGE_INVALID",
    message: `The option "home" must be an absolute path, not "${home}".`,
  });
});

test.each(["", ".", undefined])(
  "a host whose env has HOME=%j reads no user file of its folder",
  async (home) => {
    await using sandbox = await createSandbox();
    await hostileRepository(sandbox);
    const env = { ...sandbox.env(), HOME: home };
    await using host = await createHost({ cwd: sandbox.project, env });
    expect(host.servers().map(({ name, state }) => [name, state])).toEqual([
      ["ran-native", "untrusted"],
      ["ran-cursor", "untrusted"],
    ]);
  },
);

test("a relative cwd is resolved, so that an approval names one file in every folder", async () => {
  await using sandbox = await createSandbox();
  await hostileRepository(sandbox);
  const relativeFolder = join("..", "..", "..", "..", "..", "..", "..", "..", "..", "..", sandbox.project);
  await using host = await createHost({ cwd: relativeFolder, env: sandbox.env() });
  expect(host.approvals.request("ran-native").source.file).toBe(
    join(sandbox.project, ".plugboard", "mcp.json"),
  );
});

/** A repository that a user without an account may read and write; nothing above it is hidden. */
async function openRepository(): Promise<
  AsyncDisposable & { readonly root: string; readonly project: string }
> {
  const root = await realpath(await mkdtemp("/tmp/plugboard-no-account-"));
  const project = join(root, "project");
  await mkdir(join(project, ".git"), { recursive: true });
  await mkdir(join(project, ".plugboard"));
  const args = ["-e", `require("node:fs").writeFileSync(${JSON.stringify(join(project, "ran"))}, "")`];
  const servers = { mcpServers: { evil: { command: process.execPath, args } } };
  await writeFile(join(project, ".plugboard", "mcp.json"), JSON.stringify(servers));
  await chmod(root, 0o755);
  for (const folder of ["", ".git", ".plugboard"]) await chmod(join(project, folder), 0o777);
  return { root, project, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}

const noSecondUser = whyNoSecondUser();

test.for([undefined, "", "."])(
  "a user without an account has no user tier and leaves nothing behind, with HOME=%j",
  async (home, { skip }) => {
    skip(noSecondUser !== undefined, noSecondUser);
    await using repository = await openRepository();
    const { project } = repository;
    const env: Record<string, string> = {
      PATH: process.env["PATH"] ?? "",
      PLUGBOARD_KEYCHAIN: "off",
      ...(home !== undefined && { HOME: home }),
    };
    const run = (...args: string[]) => runProgram(args, { cwd: project, env, uid: STRANGER });
    const listed = await run("list", "--json");
    expect(listed).toMatchObject({ code: 0 });
    const { servers, problems } = JSON.parse(listed.stdout) as {
      servers: { name: string; state: string }[];
      problems: { code: string }[];
    };
    expect(servers.map(({ name, state }) => [name, state])).toEqual([["evil", "untrusted"]]);
    expect(problems.map(({ code }) => code)).toEqual(["home-missing"]);
    expect(await run("call", "evil", "anything")).toMatchObject({ code: 3 });
    const added = await run("add", "mine", "--scope", "user", "--command", "x");
    expect(added).toMatchObject({ code: 1, stderr: expect.stringContaining("there is no home folder") });
    expect((await readdir(project)).sort()).toEqual([".git", ".plugboard"]);
    expect(await readdir(join(project, ".plugboard"))).toEqual(["mcp.json"]);
    expect(await readdir(repository.root)).toEqual(["project"]);
  },
);

test.for(["/nonexistent", "/"])("a user without an account can have HOME=%s", async (home, { skip }) => {
  skip(noSecondUser !== undefined, noSecondUser);
  await using repository = await openRepository();
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, PLUGBOARD_KEYCHAIN: "off" };
  const { project } = repository;
  const run = (...args: string[]) => runProgram(args, { cwd: project, env, uid: STRANGER });
  expect(await run("list")).toMatchObject({ code: 0, stderr: expect.not.stringContaining("no home folder") });
  expect(await run("call", "evil", "anything")).toMatchObject({ code: 3 });
  expect((await readdir(project)).sort()).toEqual([".git", ".plugboard"]);
});

test.runIf(process.platform === "linux")(
  "a home folder in which nothing can be created neither hangs nor fails a command that only reads",
  async () => {
    await using sandbox = await createSandbox();
    // Node's recursive `mkdir` never ends there, nor below the mount point of an automounter.
    const options = { cwd: sandbox.project, env: withoutHome(sandbox, "/proc/plugboard") };
    expect(await runProgram(["list"], options)).toMatchObject({ code: 0 });
    const added = await runProgram(["add", "mine", "--scope", "user", "--command", "x"], options);
    expect(added).toMatchObject({ code: 1, stderr: expect.stringContaining("/proc/plugboard") });
  },
);
