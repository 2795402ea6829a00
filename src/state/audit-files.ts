import { join } from "node:path";
import { createSerialQueue, isJsonObject, messageOf } from "../model/index.ts";
import type { Ports } from "../platform/index.ts";
import type { OwnPaths } from "./own-paths.ts";

/** How a client's request ended. */
export type AuditOutcome = "ok" | "tool_error" | "refused" | "failed" | "cancelled" | "timed_out";

/** What an entry records: a client's request, or a change that a person made. */
export type AuditKind = "request" | "sign_in" | "policy" | "server" | "approval" | "pin" | "token" | "admin";

/**
 * One request that a client sent to the gateway, or one change that a person made. Contains neither arguments nor results, and no known
 * secret.
 */
export interface AuditEntry {
  /** Sorts by time. */
  readonly id: string;
  /** When the request arrived (ms since 1970). */
  readonly at: number;
  /** Default: `request`. */
  readonly kind?: AuditKind;
  /** The id of the person who sent the request or made the change. Absent on a gateway without a team. */
  readonly person?: string;
  /** The id of the static token that was used. */
  readonly token?: string;
  /** The name and version that the client announced, and its IP address if it is not on this machine. */
  readonly client: { readonly name?: string; readonly version?: string; readonly address?: string };
  /** A hash that is the same for all requests of one conversation. */
  readonly session: string;
  /** The path of the endpoint, such as `/mcp`. */
  readonly endpoint: string;
  /** The method of the request, such as `tools/call`. */
  readonly method: string;
  /** The server that the request was relayed to. */
  readonly server?: string;
  /** The server's own name of the tool or prompt, or the URI of the resource. */
  readonly item?: string;
  /** The protocol era of the client. */
  readonly clientEra: "legacy" | "modern";
  /** The protocol era of the server. Absent if the request was not relayed. */
  readonly serverEra?: "legacy" | "modern";
  /** The rule of the policy that decided about the request. */
  readonly decision?: {
    readonly answer: "allow" | "deny" | "ask";
    readonly rule?: string;
    readonly by?: string;
  };
  /** How the request ended. */
  readonly outcome: AuditOutcome;
  /** The JSON-RPC error code. */
  readonly code?: number;
  /** The time from the request to its response, in milliseconds. */
  readonly durationMs: number;
  /** How long the request waited for other requests, in milliseconds. */
  readonly queuedMs?: number;
  /** The size of the request's message. */
  readonly bytesIn?: number;
  /** The size of the response's message. */
  readonly bytesOut: number;
  /** The SHA-256 of the arguments, to find equal calls. */
  readonly argumentsHash?: string;
  /** The trace that the request is part of. */
  readonly traceId?: string;
}

/** Which audit entries to read. */
export interface AuditFilter {
  /** Only entries of this time or later (ms since 1970). */
  readonly since?: number | undefined;
  /** Only entries of this time or earlier (ms since 1970). */
  readonly until?: number | undefined;
  /** Only entries of this kind. */
  readonly kind?: AuditKind | undefined;
  /** Only entries of the person with this id. */
  readonly person?: string | undefined;
  /** Only requests to this server. */
  readonly server?: string | undefined;
  /** The server's own name of the tool, prompt or resource. */
  readonly item?: string | undefined;
  /** A part of that name, in any case. */
  readonly itemPart?: string | undefined;
  /** Only requests with this outcome, or one of these. */
  readonly outcome?: AuditOutcome | readonly AuditOutcome[] | undefined;
  /** Only requests of this method, such as `tools/call`. */
  readonly method?: string | undefined;
  /** Only requests of this conversation. */
  readonly session?: string | undefined;
  /** Only entries with a greater id, to continue after the last one that was read. */
  readonly after?: string | undefined;
  /** Only entries with a smaller id, to continue before the first one that was read. */
  readonly before?: string | undefined;
  /** How many of the last entries to return. Default: 100. */
  readonly limit?: number | undefined;
}

/** The local record of clients' requests. */
export interface AuditFiles {
  /** Records a request. Writes are collected for a moment. Never throws. */
  add(entry: AuditEntry): void;
  /** Resolves when everything so far is written. Never rejects. */
  saved(): Promise<void>;
  /** Returns whether requests must be refused, because they cannot be recorded and must be. Default: `false`. */
  mustRefuse?(): boolean;
  /** Returns the last matching entries, oldest first. */
  read(filter?: AuditFilter): Promise<readonly AuditEntry[]>;
}

/** Sizes and times, which tests make smaller. */
export interface AuditLimits {
  readonly segmentBytes: number;
  readonly totalBytes: number;
  readonly keptMs: number;
}

const LIMITS: AuditLimits = {
  segmentBytes: 16 * 1024 * 1024,
  totalBytes: 512 * 1024 * 1024,
  keptMs: 14 * 24 * 60 * 60 * 1_000,
};
const WRITE_AFTER_MS = 100;
/** The most text that waits to be written. If the disk is slower than clients, more is dropped and counted. */
const MOST_WAITING = 4 * 1024 * 1024;
const DEFAULT_LIMIT = 100;
/** A request is recorded when it ends, so a file can contain requests that started before it. */
const LONGEST_REQUEST_MS = 60 * 60 * 1_000;
/** The names of audit files. Other files in the folder are not Plugboard's. */
export const AUDIT_FILE: RegExp = /^\d{13}-\d+-\d+\.jsonl$/;

/** Creates the record. Every process writes its own files, so that entries of two gateways never mix in a line. */
export function createAuditFiles(ports: Ports, places: OwnPaths, limits: AuditLimits = LIMITS): AuditFiles {
  return new FileAudit(ports, join(places.state, "audit"), limits);
}

/** A file of the record. */
interface AuditFile {
  readonly path: string;
  /** When its first entry was written. */
  readonly startedAt: number;
  readonly writtenAt: number;
}

class FileAudit implements AuditFiles {
  readonly #ports: Ports;
  readonly #folder: string;
  readonly #limits: AuditLimits;
  readonly #enqueue = createSerialQueue();
  #waiting: string[] = [];
  #waitingSize = 0;
  #dropped = 0;
  #file: string | undefined;
  #written = 0;
  #segments = 0;
  #isTorn = false;
  #stopTimer: (() => void) | undefined;

  constructor(ports: Ports, folder: string, limits: AuditLimits) {
    this.#ports = ports;
    this.#folder = folder;
    this.#limits = limits;
  }

  add(entry: AuditEntry): void {
    const line = `${JSON.stringify(entry)}\n`;
    if (this.#waitingSize + line.length > MOST_WAITING) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingSize += line.length;
    this.#stopTimer ??= this.#ports.clock.after(WRITE_AFTER_MS, () => this.#flush());
  }

  async saved(): Promise<void> {
    this.#flush();
    await this.#enqueue(async () => {}); // runs after all earlier writes
  }

  async read(filter: AuditFilter = {}): Promise<readonly AuditEntry[]> {
    const { limit = DEFAULT_LIMIT, since = 0 } = filter;
    const until = Math.min(filter.until ?? Number.POSITIVE_INFINITY, timeOf(filter.before));
    let kept: AuditEntry[] = [];
    for (const { path, startedAt, writtenAt } of (await this.#files()).reverse()) {
      const oldest = kept.length >= limit ? (kept[0]?.at ?? 0) : since;
      if (writtenAt < Math.max(since, oldest) || startedAt - LONGEST_REQUEST_MS > until) continue;
      kept.push(...lastEntriesIn(await this.#text(path), filter, limit));
      kept = kept.sort((one, other) => (one.id < other.id ? -1 : 1)).slice(-limit);
    }
    return kept;
  }

  #flush(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    const text = this.#waiting.join("");
    this.#waiting = [];
    this.#waitingSize = 0;
    if (text !== "") void this.#enqueue(() => this.#append(text));
  }

  async #append(text: string): Promise<void> {
    const { files, log } = this.#ports;
    try {
      const isFull = this.#written > 0 && this.#written + text.length > this.#limits.segmentBytes;
      if (this.#file === undefined || isFull) await this.#startFile();
      // An interrupted write has no line break at its end. Start a new line, so that the next entry is not lost too.
      await files.append(this.#file ?? "", this.#isTorn ? `\n${text}` : text, 0o600);
      this.#isTorn = false;
      this.#written += text.length;
      if (this.#dropped > 0) log.log("warn", "audit.dropped", { entries: this.#dropped });
      this.#dropped = 0;
    } catch (error) {
      this.#isTorn = true;
      log.log("warn", "audit.unwritable", { error: messageOf(error) });
    }
  }

  async #startFile(): Promise<void> {
    const { files, clock, processes } = this.#ports;
    await files.makeFolder(this.#folder, 0o700);
    this.#segments += 1;
    const time = String(clock.now()).padStart(13, "0");
    this.#file = join(this.#folder, `${time}-${processes.ownPid}-${this.#segments}.jsonl`);
    this.#written = 0;
    await this.#prune();
  }

  /** Removes files that are too old, and the oldest ones if there are too many. A file has at most `segmentBytes`. */
  async #prune(): Promise<void> {
    const { keptMs, totalBytes, segmentBytes } = this.#limits;
    const known = await this.#files();
    const most = Math.max(1, Math.floor(totalBytes / segmentBytes));
    const now = this.#ports.clock.now();
    for (const [index, { path, writtenAt }] of known.entries())
      if (now - writtenAt > keptMs || index < known.length - (most - 1)) await this.#ports.files.remove(path);
  }

  /** Returns the files in the order of their last write. */
  async #files(): Promise<AuditFile[]> {
    const { files } = this.#ports;
    const names = (await files.list(this.#folder)).filter((name) => AUDIT_FILE.test(name)).sort();
    const found: AuditFile[] = [];
    for (const name of names) {
      const path = join(this.#folder, name);
      const writtenAt = await files.writtenAt(path);
      if (writtenAt !== undefined) found.push({ path, startedAt: Number(name.slice(0, 13)), writtenAt });
    }
    return found.sort((one, other) => one.writtenAt - other.writtenAt);
  }

  async #text(path: string): Promise<string> {
    const { files, log } = this.#ports;
    const bytes = await files.read(path).catch((error: unknown) => {
      log.log("warn", "audit.unreadable", { error: messageOf(error) });
      return undefined;
    });
    return bytes === undefined ? "" : new TextDecoder().decode(bytes);
  }
}

/** The beginning of every line, and the length of the id that follows. */
const LINE_START = '{"id":"';
const ID_END = LINE_START.length + 36;

/**
 * Returns the last matching entries of a file, in any order. Searches the text first and parses only what may be returned, because
 * parsing every line of a large file takes ten times as long.
 */
function lastEntriesIn(text: string, filter: AuditFilter, limit: number): AuditEntry[] {
  const { person, server, item, method, session, after = "", before = "\uffff" } = filter;
  const outcomes = outcomesOf(filter);
  const parts = Object.entries({ person, server, item, method, session })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `"${key}":${JSON.stringify(value)}`);
  const ends = outcomes?.map((outcome) => `"outcome":"${outcome}"`);
  const mayMatch = (line: string): boolean =>
    isBetween(idOf(line), after, before) &&
    parts.every((part) => line.includes(part)) &&
    (ends === undefined || ends.some((end) => line.includes(end)));
  const lines = text.split("\n").filter(mayMatch);
  lines.sort((one, other) => (one < other ? 1 : -1)); // lines start with the id, which starts with the time
  const found: AuditEntry[] = [];
  for (const line of lines) {
    if (found.length >= limit) break;
    const entry = toEntry(line);
    if (entry !== undefined && matches(entry, filter)) found.push(entry);
  }
  return found;
}

/** Returns the id of a line without parsing it; `undefined` if the line does not start like an entry. */
function idOf(line: string): string | undefined {
  return line.startsWith(LINE_START) && line[ID_END] === '"'
    ? line.slice(LINE_START.length, ID_END)
    : undefined;
}

/** A line whose id is unknown is parsed. */
function isBetween(id: string | undefined, after: string, before: string): boolean {
  return id === undefined || (id > after && id < before);
}

/** Returns the time in an id, which is a version 7 UUID. Everything is before the time of another text. */
function timeOf(id: string | undefined): number {
  const [, high = "", low = ""] = /^([\da-f]{8})-([\da-f]{4})-7/.exec(id ?? "") ?? [];
  return high === "" ? Number.POSITIVE_INFINITY : Number.parseInt(high + low, 16);
}

function outcomesOf({ outcome }: AuditFilter): readonly AuditOutcome[] | undefined {
  return typeof outcome === "string" ? [outcome] : outcome;
}

function matches(entry: AuditEntry, filter: AuditFilter): boolean {
  const { since = 0, until = Number.POSITIVE_INFINITY, kind, person } = filter;
  const { server, item, itemPart, method, session } = filter;
  const { after = "", before = "\uffff" } = filter;
  return (
    entry.at >= since &&
    entry.at <= until &&
    isBetween(entry.id, after, before) &&
    (kind === undefined || (entry.kind ?? "request") === kind) &&
    (person === undefined || entry.person === person) &&
    (server === undefined || entry.server === server) &&
    (item === undefined || entry.item === item) &&
    (itemPart === undefined || entry.item?.toLowerCase().includes(itemPart.toLowerCase()) === true) &&
    (method === undefined || entry.method === method) &&
    (session === undefined || entry.session === session) &&
    (outcomesOf(filter)?.includes(entry.outcome) ?? true)
  );
}

/** Returns `undefined` for a line that is still being written. */
function toEntry(line: string): AuditEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isEntry =
      isJsonObject(value) &&
      typeof value["id"] === "string" &&
      typeof value["at"] === "number" &&
      typeof value["method"] === "string" &&
      typeof value["outcome"] === "string" &&
      isJsonObject(value["client"]);
    return isEntry ? (value as unknown as AuditEntry) : undefined;
  } catch {
    return undefined;
  }
}
