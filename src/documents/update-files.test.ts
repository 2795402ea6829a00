import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import { createSandbox } from "../../test/support/sandbox.ts";
import type { Files } from "../platform/index.ts";
import { nodePorts } from "../platform/node/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { updateFiles } from "./locked-update.ts";

const add = (path: string) => ({ path, update: (current = ""): string => `${current}new` });

/** Returns two files after an update in which the first action that matches `fails` fails. */
async function diskAfterFailure(fails: (action: "create" | "rename", path: string) => boolean) {
  const disk = new Map([["/b/file", "old b "]]);
  const files = createMemoryFiles(disk);
  const failing: Files = {
    ...files,
    async create(path, content, mode) {
      if (fails("create", path)) throw Object.assign(new Error("ENOSPC: full"), { code: "ENOSPC" });
      await files.create(path, content, mode);
    },
    async rename(from, to) {
      if (fails("rename", to)) throw Object.assign(new Error("EACCES: denied"), { code: "EACCES" });
      await files.rename(from, to);
    },
  };
  const outcome = updateFiles(createFakePorts(failing), [add("/a/file"), add("/b/file")]);
  await expect(outcome).rejects.toMatchObject({ code: "CONFIG_UNWRITABLE" });
  return Object.fromEntries(disk);
}

describe("several files are updated together", () => {
  test("all of them, if nothing fails", async () => {
    const disk = new Map([["/b/file", "old b "]]);
    await updateFiles(createFakePorts(createMemoryFiles(disk)), [add("/b/file"), add("/a/file")]);
    expect(Object.fromEntries(disk)).toEqual({ "/a/file": "new", "/b/file": "old b new" });
  });

  test.each(["/a/", "/b/"])("none of them, if one cannot be written: %s", async (folder) => {
    const left = await diskAfterFailure(
      (action, path) => action === "create" && path.startsWith(folder) && !path.endsWith(".lock"),
    );
    expect(left).toEqual({ "/b/file": "old b " });
  });

  test.each(["/a/", "/b/"])("none of them, if one cannot be replaced: %s", async (folder) => {
    const left = await diskAfterFailure((action, path) => action === "rename" && path === `${folder}file`);
    expect(left).toEqual({ "/b/file": "old b " });
  });

  test("in the given order, so that a disk that fails for good leaves a moved entry in both", async () => {
    const disk = new Map([["/a/source", "entry"]]);
    const files = createMemoryFiles(disk);
    const denied = (): never => {
      throw Object.assign(new Error("EROFS: read-only"), { code: "EROFS" });
    };
    let replaced = 0;
    const ports = createFakePorts({
      ...files,
      rename: async (from, to) => (replaced++ === 0 ? files.rename(from, to) : denied()),
      replace: async () => denied(),
      remove: async (path) => (path.endsWith("/target") ? denied() : files.remove(path)),
    });
    const outcome = updateFiles(ports, [
      { path: "/b/target", update: () => "entry" },
      { path: "/a/source", update: () => "" },
    ]);
    await expect(outcome).rejects.toMatchObject({ code: "CONFIG_UNWRITABLE" });
    expect(Object.fromEntries(disk)).toEqual({ "/a/source": "entry", "/b/target": "entry" });
  });

  test.each([
    ["its own", 0o640, 0o640],
    ["owner-only, if the file was deleted", undefined, 0o600],
  ])("and a restored file gets its mode: %s", async (_, mode, expected) => {
    const disk = new Map([
      ["/a/file", "old a "],
      ["/b/file", "old b "],
    ]);
    const files = createMemoryFiles(disk);
    const modes: unknown[] = [];
    let isReplaced = false;
    const outcome = updateFiles(
      createFakePorts({
        ...files,
        mode: async () => (isReplaced ? mode : 0o640),
        async rename(from, to) {
          if (to === "/b/file") throw Object.assign(new Error("EACCES: denied"), { code: "EACCES" });
          isReplaced = true;
          await files.rename(from, to);
        },
        async replace(path, text, given) {
          modes.push([path, given]);
          await files.replace(path, text, given);
        },
      }),
      [add("/a/file"), add("/b/file")],
    );
    await expect(outcome).rejects.toMatchObject({ message: "/b/file cannot be written: EACCES: denied" });
    expect(modes).toEqual([["/a/file", expected]]);
    expect(Object.fromEntries(disk)).toEqual({ "/a/file": "old a ", "/b/file": "old b " });
  });

  test("none of them, if one update throws", async () => {
    const disk = new Map([["/b/file", "old b "]]);
    const throwing = {
      path: "/c/file",
      update(): string {
        throw new Error("no");
      },
    };
    const outcome = updateFiles(createFakePorts(createMemoryFiles(disk)), [add("/b/file"), throwing]);
    await expect(outcome).rejects.toThrow("no");
    expect(Object.fromEntries(disk)).toEqual({ "/b/file": "old b " });
  });

  test("one after the other, if two paths refer to the same file", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome("file", "old ");
    const link = join(sandbox.home, "link");
    await symlink(file, link);
    await updateFiles(nodePorts(), [add(link), add(file)]);
    expect(new TextDecoder().decode(await nodePorts().files.read(file))).toBe("old newnew");
  });

  test("without deadlock, in any order of the paths", async () => {
    await using sandbox = await createSandbox();
    const [a, b] = [join(sandbox.home, "a"), join(sandbox.home, "b")];
    const rounds = Array.from({ length: 10 }, (_, at) =>
      at % 2 === 0 ? [add(a), add(b)] : [add(b), add(a)],
    );
    await Promise.all(rounds.map((updates) => updateFiles(nodePorts(), updates)));
    for (const file of [a, b])
      expect(new TextDecoder().decode(await nodePorts().files.read(file))).toBe("new".repeat(10));
  });
});
