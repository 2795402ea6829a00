import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFakePorts } from "../../../test/support/fake-ports.ts";
import { nodePorts } from "../../platform/node/index.ts";
import { createMemoryFiles } from "../../testing/index.ts";
import type { Workspace } from "../workspace.ts";
import { planUninstall, uninstall } from "./uninstall.lazy.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "uninstall-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Creates a workspace with only what `uninstall` needs. The folders are those of `findPlaces` on the given system. */
function workspaceOn(platform: string, local: string, variables: Record<string, string> = {}): Workspace {
  const isWindows = platform === "win32";
  const folder = join(home, local, "plugboard");
  const workspace: Pick<Workspace, "ports" | "environment" | "places"> = {
    ports: { ...createFakePorts(), files: nodePorts().files },
    environment: { platform, home, cwd: home, variables },
    places: {
      userConfig: join(home, ".plugboard", "mcp.json"),
      settings: join(home, ".plugboard", "settings.json"),
      state: isWindows ? join(folder, "state") : join(folder),
      cache: isWindows ? join(folder, "cache") : join(home, "caches", "plugboard"),
    },
  };
  return workspace as Workspace;
}

async function fill({ places }: Workspace): Promise<void> {
  for (const file of [
    places.userConfig,
    places.settings,
    join(places.state, "approvals.json"),
    join(places.cache, "swept"),
  ]) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, "{}");
  }
}

const left = async (): Promise<string[]> => (await readdir(home, { recursive: true })).sort();

test.each([
  ["linux", ".state", [".state", "caches"]],
  ["darwin", "Library", ["Library", "caches"]],
  ["win32", "Local", ["Local"]],
])("on %s, no folder named after Plugboard is left", async (platform, local, folders) => {
  const workspace = workspaceOn(platform, local);
  await fill(workspace);
  const kept = await planUninstall(workspace, {});
  expect(await uninstall(workspace, kept)).toMatchObject({ failures: [], skipped: [] });
  const config = [".plugboard", ".plugboard/mcp.json", ".plugboard/settings.json"];
  expect(await left()).toEqual([...config, ...folders].sort());

  const all = await planUninstall(workspace, { config: true });
  expect(await uninstall(workspace, all)).toMatchObject({ failures: [], skipped: [] });
  expect(await left()).toEqual(folders);
});

test("the parent folder is kept if PLUGBOARD_HOME is set", async () => {
  const workspace = workspaceOn("win32", "Local", { PLUGBOARD_HOME: "C:\\anywhere" });
  await fill(workspace);
  await uninstall(workspace, await planUninstall(workspace, { config: true }));
  expect(await left()).toEqual([".plugboard", "Local", "Local/plugboard"]);
});

test("the marker of a keychain entry that cannot be removed is kept, so that the next attempt finds it", async () => {
  const workspace = workspaceOn("darwin", "Library");
  const marker = join(workspace.places.state, "vault", "key-in-keychain");
  await mkdir(dirname(marker), { recursive: true });
  await writeFile(marker, "");
  await writeFile(join(dirname(marker), `${"0".repeat(64)}.sealed.lock`), "");
  const plan = await planUninstall(workspace, {});
  const name = `vault ${dirname(marker)}`;
  expect(plan.keychainEntry).toBe(name);
  expect((await uninstall(workspace, plan)).failures).toEqual([
    {
      path: marker,
      reason: `the keychain entry "${name}" could not be removed: there is no keychain here`,
    },
  ]);
  expect(await readdir(dirname(marker))).toEqual(["key-in-keychain"]);

  const removed: string[] = [];
  const keychain = { ...workspace.ports.keychain, remove: async (entry: string) => void removed.push(entry) };
  const open = { ...workspace, ports: { ...workspace.ports, keychain } };
  expect((await uninstall(open, plan)).failures).toEqual([]);
  expect([removed, await left()]).toEqual([[name], ["Library"]]);
});

test("a files port without owner() is rejected", async () => {
  const workspace = workspaceOn("linux", ".state");
  const ports = { ...workspace.ports, files: createMemoryFiles() };
  await expect(planUninstall({ ...workspace, ports }, {})).rejects.toMatchObject({ code: "USAGE_INVALID" });
});
