import { constants, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { codeOf } from "../../model/index.ts";
import type { Files } from "../index.ts";

export const nodeFiles: Files = {
  async read(path) {
    return missingIsUndefined(() => readFile(path));
  },
  async kind(path) {
    const facts = await missingIsUndefined(() => stat(path));
    if (facts === undefined) return undefined;
    return facts.isDirectory() ? "folder" : "file";
  },
  async realPath(path) {
    return (await missingIsUndefined(() => realpath(path))) ?? path;
  },
  async makeFolder(path, mode) {
    await mkdir(path, { recursive: true, mode });
  },
  async create(path, text, mode) {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
    const file = await open(path, flags, mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  },
  rename,
  async remove(path) {
    await rm(path, { force: true });
  },
  async mode(path) {
    const facts = await missingIsUndefined(() => stat(path));
    return facts === undefined ? undefined : facts.mode & 0o777;
  },
};

async function missingIsUndefined<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
