import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nodePorts } from "../platform/node/index.ts";
import { type OwnFiles, readOwnFolder, removeIfEmpty, removeOwnFiles } from "./own-files.ts";
import { CACHE_LAYOUT, CONFIG_LAYOUT, mergeLayouts, STATE_LAYOUT } from "./own-layout.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "own-files-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const files = nodePorts().files as OwnFiles;
const HASH = "0123456789abcdef".repeat(4);
const MARK = "0123456789abcdef";

async function write(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), "12345");
  }
}

const all = async (): Promise<string[]> => (await readdir(folder, { recursive: true })).sort();

describe("a file that Plugboard writes", () => {
  test.each([
    ["state", "approvals.json", STATE_LAYOUT],
    ["state", "approvals.json.lock", STATE_LAYOUT],
    ["state", `approvals.json.lock.${MARK}.tmp`, STATE_LAYOUT],
    ["state", "eras.json", STATE_LAYOUT],
    ["state", `tool-names.json.${MARK}.tmp`, STATE_LAYOUT],
    ["state", `pins/${HASH}.jsonl`, STATE_LAYOUT],
    ["state", `artifacts/20260101120000000-12-${MARK}.png`, STATE_LAYOUT],
    ["state", `logs/${HASH.slice(0, 32)}/1700000000000-12-1.newer.jsonl`, STATE_LAYOUT],
    ["state", `vault/${HASH}.sealed`, STATE_LAYOUT],
    ["state", `vault/${HASH}.sealed.turn`, STATE_LAYOUT],
    ["state", "vault/master.key", STATE_LAYOUT],
    ["state", "vault/key.lock", STATE_LAYOUT],
    ["state", "vault/key-in-keychain", STATE_LAYOUT],
    ["cache", "swept", CACHE_LAYOUT],
    ["cache", `catalogs/${HASH}-${MARK}.jsonl`, CACHE_LAYOUT],
    ["cache", "code/v22.12.0-x64/run-abc.cjs.list.bin", CACHE_LAYOUT],
    ["cache", "code/v22.12.0-x64/run-abc.cjs.list.bin.4711", CACHE_LAYOUT],
    ["cache", "runners/enter-folder.sh", CACHE_LAYOUT],
    ["config", "mcp.json", CONFIG_LAYOUT],
    ["config", "settings.json.lock", CONFIG_LAYOUT],
  ])("in %s is removed with its folders: %s", async (_, name, layout) => {
    await write(name);
    const found = await readOwnFolder(files, folder, layout);
    expect([found.files, found.others]).toEqual([[{ path: join(folder, name), bytes: 5 }], []]);
    expect(await removeOwnFiles(files, folder, layout)).toEqual([]);
    expect(await all()).toEqual([]);
  });

  test.each([
    "notes.txt",
    "approvals.json.bak",
    "my-approvals.json",
    "vault/passwords.kdbx",
    "vault/deeper/master.key",
    `pins/${HASH}.jsonl/file`,
    "logs/app.log",
    "code/main.c",
    "code/v22.12.0-x64/main.c",
    "runners/package.json",
    "other/approvals.json",
  ])("is not confused with the user's %s", async (name) => {
    await write(name);
    const layout = mergeLayouts(STATE_LAYOUT, CACHE_LAYOUT);
    const { files: found, others } = await readOwnFolder(files, folder, layout);
    expect([found, others.length]).toEqual([[], 1]);
    expect(await removeOwnFiles(files, folder, layout)).toEqual([]);
    expect(await all()).toContain(name);
  });
});

test("a file that is written again during the removal is also removed", async () => {
  await write("approvals.json", "eras.json");
  let isWritten = false;
  const busy: OwnFiles = {
    ...files,
    async remove(path) {
      await files.remove(path);
      if (!isWritten) await write("vault/master.key");
      isWritten = true;
    },
  };
  expect(await removeOwnFiles(busy, folder, STATE_LAYOUT)).toEqual([]);
  expect(await all()).toEqual([]);
});

test("a file that is repeatedly written again is reported", async () => {
  await write("eras.json");
  const busy: OwnFiles = {
    ...files,
    async remove(path) {
      await files.remove(path);
      await write("eras.json");
    },
  };
  expect(await removeOwnFiles(busy, folder, STATE_LAYOUT)).toEqual([
    { path: join(folder, "eras.json"), reason: "another process has written it again" },
  ]);
});

test("a file that cannot be removed is reported, and the others are removed", async () => {
  await write("eras.json", "vault/master.key", "pins/x");
  const stubborn: OwnFiles = {
    ...files,
    remove: (path) =>
      path.endsWith("eras.json") ? Promise.reject(new Error("EBUSY: in use")) : files.remove(path),
  };
  expect(await removeOwnFiles(stubborn, folder, STATE_LAYOUT)).toEqual([
    { path: join(folder, "eras.json"), reason: "EBUSY: in use" },
  ]);
  expect(await all()).toEqual(["eras.json", "pins", "pins/x"]);
});

test("an empty folder is removed, but a non-empty folder, a link or a file is not", async () => {
  await write("full/file", "file");
  await mkdir(join(folder, "empty"));
  await mkdir(join(folder, "target"));
  await symlink(join(folder, "target"), join(folder, "link"));
  for (const name of ["empty", "full", "file", "link", "missing"])
    expect(await removeIfEmpty(files, join(folder, name))).toEqual([]);
  expect((await readdir(folder)).sort()).toEqual(["file", "full", "link", "target"]);
});
