import { promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";
import { safeLine } from "../../model/index.ts";

/** A file in a ZIP archive. */
export interface ZipFile {
  /** A relative path with `/`, without `..`. */
  readonly path: string;
  readonly size: number;
  readonly isExecutable: boolean;
  read(): Promise<Uint8Array>;
}

const MOST_FILES = 20_000;
const MOST_BYTES = 1024 * 1024 * 1024;
const LONGEST_PATH = 400;
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const LONGEST_COMMENT = 0xffff;
const LINK = 0o120000;
const inflate = promisify(inflateRaw);

/**
 * Lists the files of a ZIP archive, without links. Throws if a path leads out of the archive's folder, if a path occurs twice, or if the
 * archive is damaged or too large.
 */
export function listZip(bytes: Uint8Array): readonly ZipFile[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  const start = view.getUint32(end + 16, true);
  if (count > MOST_FILES || count === 0xffff || start === 0xffffffff) throw damaged("it has too many files");
  const files: ZipFile[] = [];
  const paths = new Set<string>();
  let at = start;
  let total = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > end || view.getUint32(at, true) !== ENTRY) throw damaged("its directory is incomplete");
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const name = bytes.subarray(at + 46, at + 46 + (nameLength ?? 0));
    const mode = view.getUint32(at + 38, true) >>> 16;
    const entry = {
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      sum: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    };
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
    const path = new TextDecoder("utf-8", { fatal: true }).decode(name);
    if (path.endsWith("/") || (mode & 0o170000) === LINK) continue;
    const wrong = wrongPath(path);
    if (wrong !== undefined) throw damaged(wrong);
    const key = path.normalize("NFC").toLowerCase();
    if (paths.has(key)) throw damaged("it contains a path twice");
    paths.add(key);
    total += entry.size;
    if (total > MOST_BYTES) throw damaged("its content is too large");
    files.push({
      path,
      size: entry.size,
      isExecutable: (mode & 0o111) !== 0,
      read: () => readEntry(bytes, view, entry),
    });
  }
  return files;
}

interface Entry {
  readonly flags: number;
  readonly method: number;
  readonly sum: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

async function readEntry(
  bytes: Uint8Array,
  view: DataView,
  { flags, method, sum, packed, size, offset }: Entry,
): Promise<Uint8Array> {
  if ((flags & 1) !== 0) throw damaged("it is encrypted");
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== LOCAL)
    throw damaged("a file in it is missing");
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + packed > bytes.length) throw damaged("a file in it is truncated");
  const content = bytes.subarray(start, start + packed);
  const result = await unpack(content, method, size).catch(() => undefined);
  if (result === undefined || result.length !== size || crc32(result) !== sum)
    throw damaged("a file in it is damaged");
  return result;
}

async function unpack(content: Uint8Array, method: number, size: number): Promise<Uint8Array | undefined> {
  if (method === 0) return content;
  // One byte more than announced is an error, so a small archive cannot fill the memory.
  return method === 8 ? inflate(content, { maxOutputLength: Math.max(1, size) }) : undefined;
}

/** The end record is followed by a comment of at most 64 KB. */
function findEnd(view: DataView): number {
  const first = Math.max(0, view.byteLength - 22 - LONGEST_COMMENT);
  for (let at = view.byteLength - 22; at >= first; at -= 1)
    if (view.getUint32(at, true) === END && at + 22 + view.getUint16(at + 20, true) === view.byteLength)
      return at;
  throw damaged("it is not a ZIP archive");
}

function wrongPath(path: string): string | undefined {
  if (path.length > LONGEST_PATH) return "a path in it is too long";
  if (/[\\:]/.test(path) || safeLine(path) !== path) return "a path in it contains an invalid character";
  const parts = path.split("/");
  return parts.some((part) => part === "" || part === "." || part === "..")
    ? "a path in it leads out of its folder"
    : undefined;
}

function damaged(reason: string): Error {
  return new Error(reason);
}
