import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  createSerialQueue,
  isJsonObject,
  type JsonObject,
  messageOf,
  type Redactor,
  truncate,
} from "../model/index.ts";
import type { Ports, ProcessEnd } from "../platform/index.ts";
import type { OwnPaths } from "./own-paths.ts";

/**
 * The server that a log belongs to. Includes the config file, because two files can define servers with the same name.
 */
export interface LogSubject {
  readonly file: string;
  readonly server: string;
}

/** One line of a server's output that is not part of the protocol. */
export interface LogLine {
  /** The number of the line in its run. A gap means that lines were dropped. */
  readonly number: number;
  /** When the line was logged (ms since 1970). */
  readonly at: number;
  /** The stream that the server wrote to. */
  readonly stream: "stderr" | "stdout";
  /** The line, without its line break and with secrets masked. */
  readonly text: string;
}

/** The log of one run of a server, from its start to its end. */
export interface LoggedRun {
  /** Identifies the run. */
  readonly id: string;
  /** When the server started (ms since 1970). */
  readonly startedAt: number;
  /** The logged lines. Old lines of a long log are dropped. */
  readonly lines: readonly LogLine[];
  /** How and when the server ended, if known. */
  readonly end?: { readonly code?: number; readonly signal?: string; readonly at: number };
}

/** The log of the current run. */
export interface RunLog {
  /** Adds a line. */
  add(stream: LogLine["stream"], text: string): void;
  /** Records how the server ended, and whether it ended by itself. */
  end(end: ProcessEnd, byItself: boolean): void;
  /** Resolves when everything so far is written. Never rejects. */
  saved(): Promise<void>;
}

/** Stores the output of servers. */
export interface ServerLogs {
  /** Starts the log of a run. Creates no file until there is output. */
  start(subject: LogSubject, redactor: Redactor): RunLog;
  /** Returns the last runs, oldest first. */
  read(subject: LogSubject): Promise<readonly LoggedRun[]>;
}

const RUNS_KEPT = 5;
/** A run has at most two files of this size. When the newer file is full, it replaces the older one. */
const FILE_LIMIT = 128 * 1024;
const LINE_LIMIT = 4_000;
/** The maximum amount of text that waits to be written. More output is dropped. */
const WAITING_LIMIT = 64 * 1024;
const WRITE_AFTER_MS = 100;
/** The names of log files. Other files in the folder are not Plugboard's. */
export const LOG_FILE: RegExp = /^\d{13}-\d+-\d+\.(older|newer)\.jsonl$/;

/**
 * Creates the log store. Keeps standard error, and standard output that is not part of the protocol, for the last runs
 * of each server.
 */
export function createServerLogs(ports: Ports, places: OwnPaths): ServerLogs {
  const folderOf = ({ file, server }: LogSubject): string => {
    const key = createHash("sha256").update(`${file}\0${server}`).digest("hex").slice(0, 32);
    return join(places.state, "logs", key);
  };
  let started = 0;
  return {
    start(subject, redactor) {
      started += 1;
      const id = `${String(ports.clock.now()).padStart(13, "0")}-${ports.processes.ownPid}-${started}`;
      return new FileRunLog(ports, folderOf(subject), id, redactor);
    },
    async read(subject) {
      const folder = folderOf(subject);
      const runs: LoggedRun[] = [];
      for (const id of runsIn(await ports.files.list(folder))) {
        const entries: JsonObject[] = [];
        for (const part of ["older", "newer"])
          entries.push(...(await readEntries(ports, join(folder, `${id}.${part}.jsonl`))));
        runs.push(toRun(id, entries));
      }
      return runs;
    },
  };
}

class FileRunLog implements RunLog {
  readonly #ports: Ports;
  readonly #folder: string;
  readonly #id: string;
  readonly #redactor: Redactor;
  #number = 0;
  #waiting = "";
  #written = 0;
  readonly #enqueue = createSerialQueue();
  #stopTimer: (() => void) | undefined;
  #isPrepared = false;
  /** The last write may have stopped in the middle. */
  #isTorn = false;

  constructor(ports: Ports, folder: string, id: string, redactor: Redactor) {
    this.#ports = ports;
    this.#folder = folder;
    this.#id = id;
    this.#redactor = redactor;
  }

  add(stream: LogLine["stream"], text: string): void {
    if (text.trim() === "") return;
    this.#number += 1;
    if (this.#waiting.length > WAITING_LIMIT) return;
    const line = truncate(this.#redactor.redact(text), LINE_LIMIT); // truncating first could leave half a secret
    this.#write({ number: this.#number, at: this.#ports.clock.now(), stream, text: line });
  }

  end({ code, signal, failure }: ProcessEnd, byItself: boolean): void {
    // A server without output that Plugboard stopped leaves no file.
    if (failure !== undefined || (this.#number === 0 && !byItself)) return;
    this.#write({
      end: {
        ...(code !== undefined && { code }),
        ...(signal !== undefined && { signal }),
        at: this.#ports.clock.now(),
      },
    });
  }

  async saved(): Promise<void> {
    this.#flush();
    await this.#enqueue(async () => {}); // runs after all earlier writes
  }

  #write(entry: object): void {
    this.#waiting += `${JSON.stringify(entry)}\n`;
    this.#stopTimer ??= this.#ports.clock.after(WRITE_AFTER_MS, () => this.#flush());
  }

  #flush(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    const text = this.#waiting;
    this.#waiting = "";
    if (text !== "") void this.#enqueue(() => this.#append(text));
  }

  async #append(text: string): Promise<void> {
    const { files, log } = this.#ports;
    const path = (part: "older" | "newer"): string => join(this.#folder, `${this.#id}.${part}.jsonl`);
    try {
      if (!this.#isPrepared) await this.#prepare();
      if (this.#written > 0 && this.#written + text.length > FILE_LIMIT) {
        await files.rename(path("newer"), path("older"));
        this.#written = 0;
      }
      // An interrupted write has no line break at its end. Start a new line, so that the next line is not lost too.
      await files.append(path("newer"), this.#isTorn ? `\n${text}` : text, 0o600);
      this.#isTorn = false;
      this.#written += text.length;
    } catch (error) {
      this.#isTorn = true;
      log.log("warn", "server.log.unwritable", { error: messageOf(error) });
    }
  }

  async #prepare(): Promise<void> {
    const { files } = this.#ports;
    await files.makeFolder(this.#folder, 0o700);
    this.#isPrepared = true;
    const names = await files.list(this.#folder);
    const old = new Set(runsIn(names).slice(0, -(RUNS_KEPT - 1)));
    for (const name of names) if (old.has(runOf(name))) await files.remove(join(this.#folder, name));
  }
}

function runOf(name: string): string {
  return name.slice(0, name.indexOf("."));
}

/** Returns the ids of the runs, oldest first. Ignores other files in the folder. */
function runsIn(names: readonly string[]): string[] {
  return [...new Set(names.filter((name) => LOG_FILE.test(name)).map(runOf))].sort();
}

function toRun(id: string, entries: readonly JsonObject[]): LoggedRun {
  const lines: LogLine[] = [];
  let end: LoggedRun["end"];
  for (const entry of entries) {
    const { number, at, stream, text, end: ended } = entry;
    if (typeof number === "number" && typeof at === "number" && typeof text === "string")
      lines.push({ number, at, stream: stream === "stdout" ? "stdout" : "stderr", text });
    if (isJsonObject(ended) && typeof ended["at"] === "number") {
      const { code, signal } = ended;
      end = {
        ...(typeof code === "number" && { code }),
        ...(typeof signal === "string" && { signal }),
        at: ended["at"],
      };
    }
  }
  return { id, startedAt: Number.parseInt(id, 10), lines, ...(end !== undefined && { end }) };
}

/** Reads the entries of a file. Returns none if it cannot be read, so that other files are still shown. */
async function readEntries({ files, log }: Ports, path: string): Promise<JsonObject[]> {
  const bytes = await files.read(path).catch((error: unknown) => {
    log.log("warn", "server.log.unreadable", { error: messageOf(error) });
    return undefined;
  });
  if (bytes === undefined) return [];
  return new TextDecoder()
    .decode(bytes)
    .split("\n")
    .flatMap((line) => {
      try {
        const value: unknown = JSON.parse(line);
        return isJsonObject(value) ? [value] : [];
      } catch {
        return []; // a line that is still being written
      }
    });
}
