import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, realpath, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeFiles } from "./files.ts";

test("only regular files are read: a pipe, device or folder is rejected immediately", async () => {
  const folder = await mkdtemp(join(tmpdir(), "files-"));
  try {
    execFileSync("mkfifo", [join(folder, "pipe")]);
    await symlink("/dev/zero", join(folder, "device"));
    await writeFile(join(folder, "file"), "text");
    await expect(nodeFiles.read(join(folder, "pipe"))).rejects.toThrow("not a regular file");
    await expect(nodeFiles.read(join(folder, "device"))).rejects.toThrow("not a regular file");
    await expect(nodeFiles.read(folder)).rejects.toThrow("is a folder");
    expect(await nodeFiles.read(join(folder, "nothing"))).toBeUndefined();
    expect(new TextDecoder().decode(await nodeFiles.read(join(folder, "file")))).toBe("text");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a file over the limit is rejected by its size before it is read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "files-"));
  try {
    const file = join(folder, "file");
    await writeFile(file, "12345");
    expect(await nodeFiles.read(file, 5)).toEqual(Buffer.from("12345"));
    await expect(nodeFiles.read(file, 4)).rejects.toMatchObject({ code: "EFBIG" });
    await truncate(file, 64 * 1024 * 1024 + 1); // a sparse file: uses no disk space
    await expect(nodeFiles.read(file)).rejects.toMatchObject({
      code: "EFBIG",
      message: `EFBIG: ${file} is larger than 64 MB`,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.runIf(process.platform === "linux")(
  "a file that contains more than its reported size is read up to the limit",
  async () => {
    const status = new TextDecoder().decode(await nodeFiles.read("/proc/self/status"));
    expect(status).toContain(`Pid:\t${process.pid}`);
    const maps = await nodeFiles.read("/proc/self/maps");
    expect(maps?.length).toBeGreaterThan(4096);
    await expect(nodeFiles.read("/proc/self/maps", 4096)).rejects.toMatchObject({ code: "EFBIG" });
  },
);

test("a file that grows while it is read is read completely, or rejected at the limit", async () => {
  const folder = await mkdtemp(join(tmpdir(), "files-"));
  const file = join(folder, "file");
  await writeFile(file, "");
  const script = `const fs = require("node:fs"), text = "x".repeat(65536);
    const file = fs.openSync(process.argv[1], "a");
    for (;;) { fs.writeSync(file, text); if (fs.fstatSync(file).size > 8 << 20) fs.ftruncateSync(file, 0); }`;
  const writer = spawn(process.execPath, ["-e", script, file], { stdio: "ignore" });
  try {
    for (let round = 0; round < 500; round += 1) {
      const bytes = await nodeFiles.read(file, 1 << 20).catch((error: unknown) => error);
      if (bytes instanceof Uint8Array) expect(bytes.length).toBeLessThanOrEqual(1 << 20);
      else expect(bytes).toMatchObject({ code: "EFBIG" });
    }
  } finally {
    writer.kill("SIGKILL");
    await once(writer, "exit");
    await rm(folder, { recursive: true });
  }
});

test("a file that is replaced concurrently always has the complete content of one writer", async () => {
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

test("text that another process appends to a file while it is created is not overwritten", async () => {
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

test("missing parents of a folder are created with the same mode, even by several callers at once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "files-"));
  try {
    const inner = join(folder, "a", "b");
    await Promise.all([1, 2, 3].map(() => nodeFiles.makeFolder(inner, 0o700)));
    expect(await nodeFiles.mode(join(folder, "a"))).toBe(0o700);
    expect(await nodeFiles.mode(inner)).toBe(0o700);
    await writeFile(join(inner, "file"), "");
    for (const [path, code] of [
      ["file", "EEXIST"],
      ["file/x", "ENOTDIR"],
    ] as const)
      await expect(nodeFiles.makeFolder(join(inner, path), 0o700)).rejects.toMatchObject({ code });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.runIf(process.platform === "linux")("a folder that cannot be created fails at once", async () => {
  await expect(nodeFiles.makeFolder("/proc/plugboard/x", 0o700)).rejects.toMatchObject({ code: "ENOENT" });
});

test("a path that cannot be replaced is unchanged, and no temporary file is left", async () => {
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

test("list returns at most the given number of names", async () => {
  const folder = await mkdtemp(join(tmpdir(), "files-"));
  try {
    await Promise.all(["a", "b", "c"].map((name) => writeFile(join(folder, name), "")));
    expect(await nodeFiles.list(folder, 2)).toHaveLength(2);
    expect([...(await nodeFiles.list(folder, 10))].sort()).toEqual(["a", "b", "c"]);
    expect(await nodeFiles.list(join(folder, "a"), 10)).toEqual([]);
    expect(await nodeFiles.list(join(folder, "missing"), 10)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("links to a missing file are followed, unless they lead back to themselves", async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "files-")));
  try {
    const place = (name: string): string => join(folder, name);
    await symlink("second", place("first"));
    await symlink("third", place("second"));
    expect(await nodeFiles.realPath(place("first"))).toBe(place("third"));
    await symlink("missing/../own", place("own"));
    await expect(nodeFiles.realPath(place("own"))).rejects.toMatchObject({ code: "ELOOP" });
  } finally {
    await rm(folder, { recursive: true });
  }
});
