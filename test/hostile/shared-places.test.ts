import {
  chmod,
  chown,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runProgram, STRANGER, whyNoSecondUser } from "../support/run-program.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

/** A server that leaves a mark when it is started. */
function marking(sandbox: Sandbox): { readonly mcpServers: Readonly<Record<string, unknown>> } {
  const mark = JSON.stringify(join(sandbox.project, "ran"));
  const args = ["-e", `require("node:fs").writeFileSync(${mark}, "")`];
  return { mcpServers: { x: { command: process.execPath, args } } };
}

const wasRun = async ({ project }: Sandbox): Promise<boolean> => (await readdir(project)).includes("ran");

/** A folder that other users can reach, and a run that uses it. The sandbox itself is in a folder that they cannot enter. */
async function sharedFolder(sandbox: Sandbox) {
  const shared = await mkdtemp("/tmp/shared-");
  onTestFinished(async () => {
    for (const path of [shared, `${shared}-real`]) await rm(path, { recursive: true, force: true });
  });
  await chmod(shared, 0o755);
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    runProgram(args, { cwd: sandbox.project, env: { ...sandbox.env(), ...env } });
  return { shared, run };
}

type Run = Awaited<ReturnType<typeof sharedFolder>>["run"];
type Change = (file: string) => Promise<void>;
const CASES: readonly (readonly [string, boolean, Change])[] = [
  ["belong to another user", true, (file) => chown(file, STRANGER, STRANGER)],
  ["are in another user's folder", true, (file) => chown(dirname(file), STRANGER, STRANGER)],
  ["can be written by every user", false, (file) => chmod(file, 0o666)],
  [
    "are in a folder that every user can write to",
    false,
    async (file) => {
      await chmod(dirname(file), 0o777);
    },
  ],
  [
    "can be written by a group of other users",
    true,
    async (file) => {
      await chown(file, 0, STRANGER);
      await chmod(file, 0o664);
    },
  ],
  [
    "are reached through another user's link",
    true,
    async (file) => {
      await rename(dirname(file), `${dirname(file)}-real`);
      await symlink(`${dirname(file)}-real`, dirname(file));
      await lchown(dirname(file), STRANGER, STRANGER);
    },
  ],
];
const needsRoot = (isRoots: boolean): boolean => isRoots && whyNoSecondUser() !== undefined;

/** Approves the server in a state folder that is the user's own so far. */
async function approve(sandbox: Sandbox, run: Run, env: Record<string, string>): Promise<void> {
  await sandbox.writeProject(".mcp.json", marking(sandbox));
  const { stdout } = await run(["trust", "x", "--json"], env);
  const { hash } = (JSON.parse(stdout) as { approval: { hash: string } }).approval;
  expect(await run(["trust", "x", "--yes", "--hash", hash], env)).toMatchObject({ code: 0 });
}

test("a server runs with approvals in a folder that only the user can write to, so the following tests can fail", async () => {
  await using sandbox = await createSandbox();
  const { shared, run } = await sharedFolder(sandbox);
  await approve(sandbox, run, { XDG_STATE_HOME: shared });
  await chmod(shared, 0o1777); // as /tmp
  await run(["test", "x"], { XDG_STATE_HOME: shared });
  expect(await wasRun(sandbox)).toBe(true);
});

test.for(CASES)("approvals do not count if they %s", async ([, isRoots, change], { skip }) => {
  if (needsRoot(isRoots)) skip(whyNoSecondUser());
  await using sandbox = await createSandbox();
  const { shared, run } = await sharedFolder(sandbox);
  const env = { XDG_STATE_HOME: shared };
  await approve(sandbox, run, env);
  const file = join(shared, "plugboard", "approvals.json");
  await chmod(dirname(file), 0o755);
  await change(file);
  expect(await run(["test", "x"], env)).toMatchObject({ code: 3 });
  expect(await wasRun(sandbox)).toBe(false);
  const { stdout } = await run(["doctor"], env);
  expect(stdout).toMatch(/(?:belongs to user 54321|can write to)[^]*chown and chmod, or set PLUGBOARD_HOME/);
});

test.for(CASES)(
  "the user's servers need approval if their files %s",
  async ([, isRoots, change], { skip }) => {
    if (needsRoot(isRoots)) skip(whyNoSecondUser());
    await using sandbox = await createSandbox();
    const { shared, run } = await sharedFolder(sandbox);
    const file = join(shared, "mcp.json");
    await writeFile(file, JSON.stringify(marking(sandbox)));
    await change(file);
    expect(await run(["test", "x"], { PLUGBOARD_HOME: shared })).toMatchObject({ code: 3 });
    expect(await wasRun(sandbox)).toBe(false);
    const { stdout } = await run(["doctor"], { PLUGBOARD_HOME: shared });
    expect(stdout).toContain("is not treated as your own file");
  },
);

test.for(CASES)(
  "another tool's servers need approval if their files %s",
  async ([, isRoots, change], { skip }) => {
    if (needsRoot(isRoots)) skip(whyNoSecondUser());
    await using sandbox = await createSandbox();
    const { shared: home, run } = await sharedFolder(sandbox);
    const file = join(home, ".cursor", "mcp.json");
    await mkdir(dirname(file));
    await writeFile(file, JSON.stringify(marking(sandbox)));
    await change(file);
    expect(await run(["test", "x"], { HOME: home })).toMatchObject({ code: 3 });
    expect(await wasRun(sandbox)).toBe(false);
  },
);

test.skipIf(whyNoSecondUser())("a home folder that another user created is not the user's own", async () => {
  await using sandbox = await createSandbox();
  const { run } = await sharedFolder(sandbox);
  await sandbox.writeHome(".plugboard/mcp.json", marking(sandbox));
  await chmod(dirname(sandbox.home), 0o1777);
  await chown(sandbox.home, STRANGER, STRANGER);
  expect(await run(["test", "x"])).toMatchObject({ code: 3 });
  expect(await wasRun(sandbox)).toBe(false);
});

test.skipIf(whyNoSecondUser())(
  "root uses the home folder of another user id, as in a container",
  async () => {
    await using sandbox = await createSandbox();
    const { run } = await sharedFolder(sandbox);
    const file = await sandbox.writeHome(".plugboard/mcp.json", marking(sandbox));
    for (const path of [file, dirname(file), sandbox.home]) await chown(path, STRANGER, STRANGER);
    await run(["test", "x"]);
    expect(await wasRun(sandbox)).toBe(true);
  },
);

test.skipIf(whyNoSecondUser())("nothing is stored in another user's folder", async () => {
  await using sandbox = await createSandbox();
  const { shared, run } = await sharedFolder(sandbox);
  await mkdir(join(shared, "plugboard"));
  await chown(join(shared, "plugboard"), STRANGER, STRANGER);
  const env = { XDG_STATE_HOME: shared };
  await sandbox.writeProject(".mcp.json", marking(sandbox));
  const { stdout } = await run(["trust", "x", "--json"], env);
  const { hash } = (JSON.parse(stdout) as { approval: { hash: string } }).approval;
  for (const args of [
    ["trust", "x", "--yes", "--hash", hash],
    ["secret", "set", "KEY", "--value", "s3cr3t"],
  ]) {
    const { code, stderr } = await run(args, env);
    expect([code, stderr]).toEqual([expect.toSatisfy((each) => each !== 0), expect.any(String)]);
  }
  expect(await readdir(join(shared, "plugboard"))).toEqual([]);
});

test.skipIf(whyNoSecondUser())("npx runs nothing from another user's folder above the cache", async () => {
  await using sandbox = await createSandbox();
  const { shared, run } = await sharedFolder(sandbox);
  const bin = join(shared, "node_modules", ".bin", "mcp-server");
  await mkdir(dirname(bin), { recursive: true });
  await writeFile(bin, `#!/bin/sh\necho > ${join(sandbox.project, "ran")}\n`, { mode: 0o755 });
  await mkdir(join(shared, "cache"));
  const npx = { command: "npx", args: ["-y", "@acme/mcp-server"] };
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { x: npx } });
  await chown(join(shared, "node_modules"), STRANGER, STRANGER);
  await sandbox.writeHome(".npmrc", "registry=http://127.0.0.1:9/\nfetch-retries=0\n");
  const { stderr } = await run(["test", "x"], { XDG_CACHE_HOME: join(shared, "cache") });
  expect(stderr).toContain("ECONNREFUSED");
  expect(await wasRun(sandbox)).toBe(false);
});

test.skipIf(whyNoSecondUser())("doctor reports a state folder that another user created", async () => {
  await using sandbox = await createSandbox();
  const { shared, run } = await sharedFolder(sandbox);
  await mkdir(join(shared, "plugboard"));
  await chown(join(shared, "plugboard"), STRANGER, STRANGER);
  const { stdout, code } = await run(["doctor"], { XDG_STATE_HOME: shared });
  expect(stdout).toContain(`${join(shared, "plugboard")} is not used: `);
  expect(code).toBe(1);
});

test.skipIf(whyNoSecondUser())("settings of another user are not used", async () => {
  await using sandbox = await createSandbox();
  const { shared, run } = await sharedFolder(sandbox);
  const env = { PLUGBOARD_HOME: shared };
  await writeFile(join(shared, "settings.json"), '{"providers":{"cursor":false}}');
  await chown(join(shared, "settings.json"), STRANGER, STRANGER);
  await sandbox.writeHome(".cursor/mcp.json", marking(sandbox));
  const { stdout } = await run(["list", "--json"], env);
  expect(stdout).toContain('"x"');
  expect(stdout).toContain("belongs to user 54321");
  expect(await readFile(join(shared, "settings.json"), "utf8")).toContain("cursor");
});
