import { constants } from "node:fs";
import { open, opendir, realpath, stat } from "node:fs/promises";
import { basename, extname, isAbsolute, join, relative, sep } from "node:path";
import type { FilePart, TextPart } from "ai";
import { HostError } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { fileText, toContent } from "./to-content.ts";

/** The files of the working folder that a line can mention as `@<path>`. */
export interface ProjectFiles {
  /** Returns paths that contain the typed text, the best match first. Folders end with `/`. */
  complete(typed: string): Promise<string[]>;
  /** Returns a file's content for the model; `undefined` if there is no such file. Rejects if it must not or cannot be read. */
  read(path: string): Promise<TextPart | FilePart | undefined>;
}

const MOST_ENTRIES = 5_000;
const MOST_BYTES = 15 * 1024 * 1024;
/** How long the list of files is reused, because every key press needs it. */
const FRESH_MS = 3_000;
const SKIPPED = /^(?:\..*|node_modules)$/;
const MEDIA: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".pdf": "application/pdf",
};

export function createProjectFiles(folder: string): ProjectFiles {
  let listed: { readonly at: number; readonly paths: Promise<readonly string[]> } | undefined;
  const listAll = (): Promise<readonly string[]> => {
    const now = performance.now();
    if (listed === undefined || now - listed.at > FRESH_MS) listed = { at: now, paths: walk(folder) };
    return listed.paths;
  };
  return {
    async complete(typed) {
      const parent = typed.slice(0, typed.lastIndexOf("/") + 1);
      const [beside, all] = await Promise.all([listFolder(folder, parent), listAll()]);
      const near = beside.filter((path) => path.startsWith(typed) && (typed !== "" || !path.startsWith(".")));
      const wanted = typed.toLowerCase();
      const named = all.filter((path) => basename(path).toLowerCase().startsWith(wanted));
      const others = all.filter((path) => path.toLowerCase().includes(wanted));
      return [...new Set([...near, ...(wanted === "" ? [] : [...named, ...others])])];
    },
    async read(path) {
      const file = join(folder, path);
      if (!isInside(folder, file) || isAbsolute(path)) return undefined;
      const facts = await stat(file).catch(() => undefined);
      if (facts?.isFile() !== true) return undefined;
      const real = await realpath(file);
      // A repository's link could send any file of the user to the model.
      if (!isInside(await realpath(folder), real)) throw refusal(path, "is a link out of the working folder");
      if (facts.size > MOST_BYTES) throw refusal(path, `is larger than ${MOST_BYTES / 1024 / 1024} MB`);
      return toPart(path, await readBytes(real, facts.size));
    },
  };
}

function toPart(path: string, bytes: Buffer): TextPart | FilePart {
  const mimeType = MEDIA[extname(path).toLowerCase()];
  if (mimeType !== undefined)
    return toContent({ type: "resource", uri: path, mimeType, blob: bytes.toString("base64") }, "");
  if (bytes.includes(0)) throw refusal(path, "is not a text file");
  return { type: "text", text: fileText(path, bytes.toString("utf8")) };
}

/** Reads a file up to the size that was checked. It may grow in the meantime. */
async function readBytes(file: string, size: number): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const buffer = Buffer.alloc(size);
    let length = 0;
    for (let read = 1; read > 0 && length < size; length += read)
      ({ bytesRead: read } = await handle.read(buffer, length, size - length, length));
    return buffer.subarray(0, length);
  } finally {
    await handle.close();
  }
}

function refusal(path: string, why: string): HostError {
  return new HostError("USAGE_INVALID", `"${safeLine(path)}" ${why}.`, {
    hint: "Remove the @ to send only its name.",
  });
}

function isInside(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path !== "" && path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

/** Lists one folder. Follows no links out of the working folder. */
async function listFolder(folder: string, parent: string): Promise<string[]> {
  const root = join(folder, parent);
  try {
    if (parent !== "" && !isInside(await realpath(folder), await realpath(root))) return [];
    const found: string[] = [];
    for await (const entry of await opendir(root)) {
      found.push(`${parent}${entry.name}${entry.isDirectory() ? "/" : ""}`);
      if (found.length >= MOST_ENTRIES) break;
    }
    return found.sort();
  } catch {
    return []; // it is not a folder
  }
}

/** Lists files, those in the upper folders first. Skips hidden folders and installed packages. */
async function walk(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const folders = [""];
  for (let seen = 0, parent = folders.shift(); parent !== undefined; parent = folders.shift()) {
    for (const path of await listFolder(folder, parent)) {
      seen += 1;
      if (seen > MOST_ENTRIES) return files;
      if (!path.endsWith("/")) files.push(path);
      else if (!SKIPPED.test(basename(path))) folders.push(path);
    }
  }
  return files;
}
