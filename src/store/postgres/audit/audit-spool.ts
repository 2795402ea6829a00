import { posix, win32 } from "node:path";
import { isJsonObject, messageOf } from "../../../model/index.ts";
import type { Files } from "../../../platform/index.ts";
import type { ChainedEntry } from "./audit-chain.ts";

/** Names of files with entries, as `own-layout.ts` also knows them. A closed file no longer grows. */
const SPOOL_FILE = /^[0-9a-f-]{36}-\d{1,9}\.(?:jsonl|closed)$/;

const SEGMENT_BYTES = 4 * 1024 * 1024;
/** A file that did not grow for this long belongs to a process that ended. */
const ABANDONED_MS = 600_000;
const LINE_BYTES_READ = 512 * 1024 * 1024;

/**
 * Entries that wait on disk while the database is unavailable. They are already chained, so a change on disk is noticed, too. Files of a
 * process that was killed are taken over by the next one on this machine.
 */
export class AuditSpool {
  readonly #files: Files;
  readonly #folder: string;
  readonly #node: string;
  readonly #mostBytes: number;
  readonly #join: (...parts: string[]) => string;
  #segment = 0;
  #open: { readonly path: string; bytes: number } | undefined;
  /** Closed files, oldest first. */
  readonly #closed: { readonly path: string; readonly bytes: number; readonly count: number }[] = [];
  #openCount = 0;

  constructor(files: Files, place: { folder: string; node: string; mostBytes: number; platform: string }) {
    this.#files = files;
    this.#folder = place.folder;
    this.#node = place.node;
    this.#mostBytes = place.mostBytes;
    this.#join = place.platform === "win32" ? win32.join : posix.join;
  }

  /** How many entries wait. Those of other processes are counted when they are taken over. */
  get count(): number {
    return this.#closed.reduce((sum, { count }) => sum + count, this.#openCount);
  }

  get isEmpty(): boolean {
    return this.#open === undefined && this.#closed.length === 0;
  }

  /**
   * Adds entries, and returns how many were kept: if the disk or the spool is full, not all of them. Throws if that is unknown.
   */
  async append(
    entries: readonly ChainedEntry[],
  ): Promise<{ readonly kept: number; readonly problem?: string }> {
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    const used = this.#closed.reduce((sum, { bytes }) => sum + bytes, this.#open?.bytes ?? 0);
    if (used + text.length > this.#mostBytes)
      return { kept: 0, problem: `the spool has reached ${this.#mostBytes} bytes` };
    if (this.#open !== undefined && this.#open.bytes + text.length > SEGMENT_BYTES) await this.#close();
    if (this.#open === undefined) {
      await this.#files.makeFolder(this.#folder, 0o700);
      this.#segment += 1;
      this.#open = { path: this.#join(this.#folder, `${this.#node}-${this.#segment}.jsonl`), bytes: 0 };
    }
    const { path } = this.#open;
    try {
      await this.#files.append(path, text, 0o600);
    } catch (error) {
      const complete = (await this.#read(path)).length; // a full disk keeps the first lines, and a part of one
      const kept = complete - this.#openCount;
      this.#openCount = complete;
      await this.#close();
      return { kept, problem: messageOf(error) };
    }
    this.#open.bytes += text.length;
    this.#openCount += entries.length;
    return { kept: entries.length };
  }

  /** Calls `insert` with the entries of the oldest file, and removes the file if it returns `true`. */
  async drainOne(insert: (entries: readonly ChainedEntry[]) => Promise<boolean>): Promise<void> {
    if (this.#closed.length === 0) await this.#close();
    const [oldest] = this.#closed;
    if (oldest === undefined || !(await insert(await this.#read(oldest.path)))) return;
    await this.#files.remove(oldest.path);
    this.#closed.shift();
  }

  /** Lets the next process take over the waiting entries. */
  finish(): Promise<void> {
    return this.#close();
  }

  /** Takes over the files of ended processes. */
  async adopt(now: number): Promise<void> {
    const known = new Set([...this.#closed.map(({ path }) => path), this.#open?.path]);
    for (const name of (await this.#files.list(this.#folder))
      .filter((file) => SPOOL_FILE.test(file))
      .sort()) {
      const path = this.#join(this.#folder, name);
      if (known.has(path)) continue;
      const writtenAt = await this.#files.writtenAt(path);
      if (writtenAt === undefined || (path.endsWith(".jsonl") && now - writtenAt < ABANDONED_MS)) continue;
      const closed = path.replace(/\.jsonl$/, ".closed");
      if (closed !== path) await this.#files.rename(path, closed).catch(() => {}); // another process was faster
      const count = (await this.#read(closed)).length;
      this.#closed.push({ path: closed, bytes: 0, count });
    }
  }

  async #close(): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    const path = open.path.replace(/\.jsonl$/, ".closed");
    const count = this.#openCount;
    this.#open = undefined;
    this.#openCount = 0;
    if ((await this.#files.kind(open.path)) === undefined) return; // not even an empty file could be created
    await this.#files.rename(open.path, path);
    this.#closed.push({ path, bytes: open.bytes, count });
  }

  /** Reads a file, or nothing if it does not exist. Skips a line that was being written when the disk was full or the process was killed. */
  async #read(path: string): Promise<readonly ChainedEntry[]> {
    const bytes = await this.#files.read(path, LINE_BYTES_READ);
    return new TextDecoder()
      .decode(bytes)
      .split("\n")
      .map(parseLine)
      .filter((entry) => entry !== undefined);
  }
}

function parseLine(line: string): ChainedEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isEntry =
      isJsonObject(value) &&
      [value["chain"], value["day"], value["keyId"], value["entry"], value["hash"]].every(
        (part) => typeof part === "string",
      ) &&
      Number.isSafeInteger(value["position"]);
    return isEntry ? (value as unknown as ChainedEntry) : undefined;
  } catch {
    return undefined;
  }
}
