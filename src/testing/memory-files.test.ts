import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { codeOf } from "../model/index.ts";
import type { Files } from "../platform/index.ts";
import { nodePorts } from "../platform/node/index.ts";
import { createMemoryFiles } from "./memory-files.ts";

const DISKS: readonly [string, () => Promise<{ files: Files; root: string }>][] = [
  ["memory", async () => ({ files: createMemoryFiles(), root: "/disk" })],
  ["a real disk", async () => ({ files: nodePorts().files, root: await mkdtemp(join(tmpdir(), "disk-")) })],
];

const textOf = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && new TextDecoder().decode(bytes);
const failure = (action: Promise<unknown>): Promise<string | undefined> => action.then(() => "done", codeOf);

describe.each(DISKS)("files in %s", (_, createDisk) => {
  test("exist after creation and not after removal", async () => {
    const { files, root } = await createDisk();
    const file = join(root, "a");
    await files.create(file, "text é", 0o600);
    const there = {
      text: textOf(await files.read(file)),
      kind: await files.kind(file),
      mode: await files.mode(file),
    };
    await files.remove(file);
    await files.remove(file);
    const gone = { text: await files.read(file), kind: await files.kind(file), mode: await files.mode(file) };
    expect({ there, gone }).toEqual({
      there: { text: "text é", kind: "file", mode: 0o600 },
      gone: { text: undefined, kind: undefined, mode: undefined },
    });
  });

  test("are not created twice", async () => {
    const { files, root } = await createDisk();
    await files.create(join(root, "a"), "first", 0o600);
    const again = await failure(files.create(join(root, "a"), "second", 0o600));
    expect([again, textOf(await files.read(join(root, "a")))]).toEqual(["EEXIST", "first"]);
  });

  test("replace another file when renamed; a missing file cannot be renamed", async () => {
    const { files, root } = await createDisk();
    await files.create(join(root, "a"), "new", 0o600);
    await files.create(join(root, "b"), "old", 0o600);
    await files.rename(join(root, "a"), join(root, "b"));
    const again = await failure(files.rename(join(root, "a"), join(root, "b")));
    expect([again, textOf(await files.read(join(root, "b"))), await files.list(root)]).toEqual([
      "ENOENT",
      "new",
      ["b"],
    ]);
  });

  test("replace another file in one step, whether it existed or not", async () => {
    const { files, root } = await createDisk();
    await files.replace(join(root, "a"), "old", 0o600);
    const first = textOf(await files.read(join(root, "a")));
    await files.replace(join(root, "a"), "new", 0o600);
    expect([first, textOf(await files.read(join(root, "a"))), await files.list(root)]).toEqual([
      "old",
      "new",
      ["a"],
    ]);
  });

  test("create their folders", async () => {
    const { files, root } = await createDisk();
    const folder = join(root, "folder");
    await files.makeFolder(folder, 0o700);
    await files.create(join(folder, "a"), "", 0o600);
    expect({
      kind: await files.kind(folder),
      read: await failure(files.read(folder)),
      list: [await files.list(root), await files.list(folder), await files.list(join(root, "none"))],
      real: (await files.realPath(join(folder, "none"))).endsWith("none"),
    }).toEqual({ kind: "folder", read: "EISDIR", list: [["folder"], ["a"], []], real: true });
  });
});

test("an empty folder on a real disk is a folder", async () => {
  const folder = join(await mkdtemp(join(tmpdir(), "disk-")), "empty");
  await mkdir(folder);
  expect(await nodePorts().files.kind(folder)).toBe("folder");
});
