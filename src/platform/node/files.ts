import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { mkdir, open, readlink, rename, rm, rmdir, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { codeOf } from "../../model/index.ts";
import { encodeInPieces, type Files } from "../index.ts";

/** Plugboard does not read larger files. */
const LARGEST_FILE = 64 * 1024 * 1024;

/** The file system, implemented with Node. */
export const nodeFiles: Files = {
  async read(path, limit = LARGEST_FILE) {
    // Most paths do not exist, and checking first takes a hundredth of the time of an error with its stack. Config
    // files are small, so reading them synchronously is cheaper than using another thread.
    return isMissing(path) ? undefined : missingIsUndefined(async () => readRegular(path, limit));
  },
  present: async (paths) => new Set(paths.filter((path) => !isMissing(path))),
  async kind(path) {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts === undefined) return undefined;
    return facts.isDirectory() ? "folder" : "file";
  },
  realPath: (path) => realPath(path),
  async list(folder, limit) {
    if (isMissing(folder)) return [];
    try {
      return limit === undefined ? readdirSync(folder) : firstNames(folder, limit);
    } catch {
      return []; // does not exist, is not a folder, or no permission
    }
  },
  async makeFolder(path, mode) {
    const made = await makeFolders(path, mode);
    if (made !== undefined) await syncFolder(dirname(made));
  },
  async create(path, content, mode) {
    const exclusive = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
    const flags = exclusive | constants.O_APPEND; // keep what another process appended since the file was created
    const file = await open(path, flags, mode);
    try {
      await file.chmod(mode); // regardless of the process's umask
      for (const piece of typeof content === "string" ? encodeInPieces(content) : [content])
        await file.writeFile(piece); // each is written after the one before
      await file.sync();
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  },
  async replace(path, content, mode) {
    const temporary = `${path}.${randomBytes(8).toString("hex")}.tmp`;
    try {
      await writeFile(temporary, content, { flag: "wx", mode });
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  },
  async append(path, text, mode) {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
    const file = await open(path, flags, mode);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
  },
  async rename(from, to) {
    await rename(from, to);
    await syncFolder(dirname(to));
  },
  async remove(path) {
    await rm(path, { force: true });
  },
  removeFolder: (path) => rmdir(path),
  async stamp(path) {
    try {
      const { mtimeMs, size, ino } = await stat(path);
      return `${mtimeMs} ${size} ${ino}`;
    } catch {
      return undefined; // does not exist, or no permission
    }
  },
  async writtenAt(path) {
    return (await missingIsUndefined(() => stat(path)))?.mtimeMs;
  },
  async mode(path) {
    const facts = await missingIsUndefined(() => stat(path));
    return facts === undefined ? undefined : facts.mode & 0o777;
  },
  async owner(path) {
    const facts = await missingIsUndefined(async () => lstatSync(path, { throwIfNoEntry: false }));
    if (facts === undefined) return undefined;
    const { uid, gid, mode, size: bytes } = facts;
    return { uid, gid, mode, bytes, ...(facts.isSymbolicLink() && { link: readlinkSync(path) }) };
  },
  folders: {
    create: (path) => mkdir(path),
    link: (target, path) => symlink(target, path, "junction"), // needs no privilege on Windows
    move: (from, to) => rename(from, to),
    // A virus scanner or an ending process may keep a file open for a moment.
    remove: (path) => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  },
};

/** As many as Linux follows. */
const MOST_LINKS = 40;

/** A system stops at a missing folder, but `missing/../x` is followed here, and may lead back to the same link forever. */
async function realPath(path: string, links = 0): Promise<string> {
  const real = await missingIsUndefined(async () => realpathSync.native(path));
  if (real !== undefined) return real;
  const link = await readlink(path).catch(() => undefined); // the target may not exist yet
  if (link === undefined) return path;
  if (links >= MOST_LINKS) throw failure("ELOOP", `${path} goes through too many links`);
  return realPath(resolve(await realPath(dirname(path), links + 1), link), links + 1);
}

/**
 * Creates a folder and its missing parents, and returns the first one that was created. Node's `recursive` never ends
 * where no folder can be created below an existing one, such as in `/proc` or below the mount point of an automounter.
 */
async function makeFolders(path: string, mode: number): Promise<string | undefined> {
  if (isFolder(path)) return undefined;
  const above = dirname(path);
  const made = above === path ? undefined : await makeFolders(above, mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (isFolder(path)) return made; // another process created it in the meantime
    throw error;
  }
  return made ?? path;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Syncs a folder's entries to disk. On Windows, folders cannot be opened, and the system does this itself. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY).catch(() => undefined);
  try {
    await folder?.sync();
  } catch {
    /* not supported by some file systems, such as network ones */
  } finally {
    await folder?.close();
  }
}

/** Returns the first names in a folder. Reading a folder with millions of entries completely takes seconds. */
function firstNames(folder: string, limit: number): string[] {
  const names: string[] = [];
  const reading = opendirSync(folder);
  try {
    while (names.length < limit) {
      const entry = reading.readSync();
      if (entry === null) break;
      names.push(entry.name);
    }
  } finally {
    reading.closeSync();
  }
  return names;
}

/** Returns whether a path does not exist. Returns `false` for other errors, which reading the path reports. */
function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/**
 * Reads a regular file. Checks before opening, because opening a device can have effects, and after, because the path
 * may have changed.
 */
function readRegular(path: string, limit: number): Uint8Array {
  checkReadable(path, statSync(path), limit);
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const facts = fstatSync(file);
    checkReadable(path, facts, limit);
    return readUpTo(file, path, facts.size, limit);
  } finally {
    closeSync(file);
  }
}

/** Throws for anything but a regular file, because reading a pipe or device could take forever. */
function checkReadable(path: string, facts: Stats, limit: number): void {
  if (facts.isDirectory()) throw failure("EISDIR", `${path} is a folder`);
  if (!facts.isFile()) throw failure("EINVAL", `${path} is not a regular file`);
  if (facts.size > limit) throw tooLarge(path, limit);
}

/** Reads a file. `size` is only a hint: a file may grow while it is read, and files in /proc report a size of 0. */
function readUpTo(file: number, path: string, size: number, limit: number): Uint8Array {
  let bytes = Buffer.allocUnsafe(size + 1);
  for (let length = 0; ; ) {
    const count = readSync(file, bytes, length, bytes.length - length, null);
    if (count === 0) return bytes.subarray(0, length);
    length += count;
    if (length > limit) throw tooLarge(path, limit);
    if (length === bytes.length) bytes = Buffer.concat([bytes], Math.min(2 * length + 4096, limit + 1));
  }
}

function tooLarge(path: string, limit: number): Error {
  const most = limit < 1024 * 1024 ? `${limit} bytes` : `${Math.floor(limit / 1024 / 1024)} MB`;
  return failure("EFBIG", `${path} is larger than ${most}`);
}

function failure(code: string, message: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}

async function missingIsUndefined<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
