import { execFileSync } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
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
