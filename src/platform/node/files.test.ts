import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeFiles } from "./files.ts";

test("only regular files are read: a pipe, a device or a folder is refused at once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "files-"));
  try {
    execFileSync("mkfifo", [join(folder, "pipe")]);
    await symlink("/dev/zero", join(folder, "device"));
    await writeFile(join(folder, "file"), "text");
    await expect(nodeFiles.read(join(folder, "pipe"))).rejects.toThrow("no regular file");
    await expect(nodeFiles.read(join(folder, "device"))).rejects.toThrow("no regular file");
    await expect(nodeFiles.read(folder)).rejects.toThrow("is a folder");
    expect(await nodeFiles.read(join(folder, "nothing"))).toBeUndefined();
    expect(new TextDecoder().decode(await nodeFiles.read(join(folder, "file")))).toBe("text");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a file that many replace at once is one of theirs, whole, whenever it is read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "files-"));
  try {
    const file = join(folder, "file");
    const texts = ["a", "b", "c", "d"].map((letter) => letter.repeat(200_000));
    await nodeFiles.replace(file, "", 0o600);
    const seen = new Set<string>([""]);
    const over = new AbortController();
    const reading = (async () => {
      while (!over.signal.aborted) {
        seen.add(new TextDecoder().decode(await nodeFiles.read(file)));
        await new Promise((resolve) => void setImmediate(resolve));
      }
    })();
    for (let round = 0; round < 20; round += 1)
      await Promise.all(texts.map((text) => nodeFiles.replace(file, text, 0o600)));
    over.abort();
    await reading;
    expect([...seen].filter((text) => text !== "" && !texts.includes(text))).toEqual([]);
    expect(await nodeFiles.list(folder)).toEqual(["file"]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("what another adds to a file while it is made is not written over", async () => {
  const folder = await mkdtemp(join(tmpdir(), "files-"));
  try {
    const file = join(folder, "file");
    const made = nodeFiles.create(file, "a".repeat(30_000_000), 0o600);
    while ((await nodeFiles.kind(file)) === undefined)
      await new Promise((resolve) => void setImmediate(resolve));
    await nodeFiles.append(file, "b", 0o600);
    await made;
    expect(new TextDecoder().decode(await nodeFiles.read(file)).replace(/a+/g, "a")).toMatch(/^a?ba?$/);
    expect((await stat(file)).size).toBe(30_000_001);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("what cannot be replaced is left as it is, with nothing beside it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "files-"));
  try {
    await mkdir(join(folder, "full"));
    await writeFile(join(folder, "full", "file"), "text");
    await expect(nodeFiles.replace(join(folder, "full"), "new", 0o600)).rejects.toThrow();
    expect([await nodeFiles.list(folder), await nodeFiles.list(join(folder, "full"))]).toEqual([
      ["full"],
      ["file"],
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
