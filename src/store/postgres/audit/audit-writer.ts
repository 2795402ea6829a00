import { createSerialQueue, HostError, messageOf } from "../../../model/index.ts";
import type { Clock, Log } from "../../../platform/index.ts";
import type { AuditEntry } from "../../../state/index.ts";
import type { Ring } from "../../encryption/envelope.ts";
import type { Database } from "../database.ts";
import { failureOf } from "../store-error.ts";
import { type Chain, type ChainedEntry, dayOf, entryHash, firstHash } from "./audit-chain.ts";
import { insertEntries, startChain } from "./audit-rows.ts";
import type { AuditSpool } from "./audit-spool.ts";

const WRITE_AFTER_MS = 100;
const ENTRIES_AT_ONCE = 500;
/** The most entries that wait in memory, if neither the database nor the disk is fast enough. */
const MOST_WAITING = 20_000;
const LONGEST_ENTRY = 64 * 1024;
/** How often entries on disk are tried again. */
const RETRY_MS = 5_000;

export interface AuditWriterContext {
  readonly database: Pick<Database, "transaction" | "pool">;
  readonly ring: Ring;
  readonly spool: AuditSpool;
  readonly node: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Writes entries in batches: to the database, or to disk while the database is unavailable. Entries are lost only if both are full. */
export class AuditWriter {
  readonly #context: AuditWriterContext;
  readonly #enqueue = createSerialQueue();
  #waiting: string[] = [];
  #chain: Chain | undefined;
  #position = 0;
  #lastHash = "";
  #lost = 0;
  #unreported = 0;
  #isFailing = false;
  #stopTimer: (() => void) | undefined;

  constructor(context: AuditWriterContext) {
    this.#context = context;
  }

  /** How many entries were lost since the start. */
  get lost(): number {
    return this.#lost;
  }

  /** Whether the last entries could be written neither to the database nor to disk. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Starts the first chain, which requires the database, and takes over the entries that another process left on disk. */
  async open(): Promise<void> {
    const { clock, spool } = this.#context;
    await this.#startChain(dayOf(clock.now()));
    await spool.adopt(clock.now());
    this.flush();
  }

  add(entry: AuditEntry): void {
    const text = JSON.stringify(entry);
    if (this.#waiting.length >= MOST_WAITING || text.length > LONGEST_ENTRY) {
      this.#lose(1);
      return;
    }
    this.#waiting.push(text);
    if (this.#waiting.length >= ENTRIES_AT_ONCE) this.flush();
    else this.#stopTimer ??= this.#context.clock.after(WRITE_AFTER_MS, () => this.flush());
  }

  /** Starts to write everything that waits. */
  flush(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    void this.#enqueue(() => this.#write()).catch((error: unknown) =>
      this.#context.log.log("error", "audit.failed", { error: messageOf(error) }),
    );
  }

  /** Resolves when everything so far is in the database or on disk. */
  async saved(): Promise<void> {
    this.flush();
    await this.#enqueue(async () => {});
  }

  /** Writes the waiting entries, and stops. */
  async close(): Promise<void> {
    await this.saved();
    this.#stopTimer?.();
    await this.#context.spool
      .finish()
      .catch((error: unknown) =>
        this.#context.log.log("warn", "audit.spool.unwritable", { error: messageOf(error) }),
      );
  }

  /** Takes over the entries that ended processes left on disk, and writes them. */
  async adopt(): Promise<void> {
    await this.#enqueue(() => this.#context.spool.adopt(this.#context.clock.now()));
    this.flush();
  }

  async #write(): Promise<void> {
    const { clock, log } = this.#context;
    this.#reportLost();
    while (this.#waiting.length > 0) {
      const today = dayOf(clock.now());
      if (this.#chain?.day !== today)
        await this.#startChain(today).catch((error: unknown) => {
          // The entries continue the chain of the day before.
          log.log("debug", "audit.chain.kept", { error: messageOf(error) });
        });
      await this.#writeBatch(this.#waiting.splice(0, ENTRIES_AT_ONCE));
    }
    await this.#drain();
  }

  async #writeBatch(texts: readonly string[]): Promise<void> {
    const { spool } = this.#context;
    if (this.#chain === undefined) {
      this.#lose(texts.length);
      return;
    }
    const links = { position: this.#position, lastHash: this.#lastHash };
    const entries = texts.map((text) => this.#link(text));
    // Entries on disk are inserted first, so that the database never has a gap.
    const isDirect = spool.isEmpty;
    this.#isFailing = false;
    if (isDirect && (await this.#insert(entries)) !== "away") return;
    try {
      const { kept, problem } = await spool.append(entries);
      if (problem === undefined) return;
      // The next entries get the positions of the lost ones, because a gap would mean that entries were removed.
      this.#position = links.position + kept;
      this.#lastHash = entries[kept - 1]?.hash ?? links.lastHash;
      // The database may have stored them, so their positions cannot be used again.
      if (isDirect) this.#chain = undefined;
      this.#failed(texts.length - kept, problem);
    } catch (error) {
      this.#chain = undefined;
      this.#failed(texts.length, messageOf(error));
    }
  }

  async #drain(): Promise<void> {
    const { spool, database, clock, log } = this.#context;
    while (!spool.isEmpty && database.pool.problem === undefined) {
      let isDone = true;
      try {
        await spool.drainOne(async (entries) => {
          for (let at = 0; at < entries.length && isDone; at += ENTRIES_AT_ONCE)
            isDone = (await this.#insert(entries.slice(at, at + ENTRIES_AT_ONCE))) !== "away";
          return isDone;
        });
      } catch (error) {
        log.log("error", "audit.spool.unreadable", { error: messageOf(error) });
        isDone = false;
      }
      if (!isDone) break;
      if (this.#waiting.length >= ENTRIES_AT_ONCE)
        await this.#writeBatch(this.#waiting.splice(0, ENTRIES_AT_ONCE)); // to disk, so that memory stays bounded
    }
    if (!spool.isEmpty) this.#stopTimer ??= clock.after(RETRY_MS, () => this.flush(), { background: true });
  }

  /** `refused` means that the database cannot store these entries, now or later: their day was removed, or the spool was changed. */
  async #insert(entries: readonly ChainedEntry[]): Promise<"written" | "away" | "refused"> {
    const { database, ring, log } = this.#context;
    if (database.pool.problem !== undefined) return "away";
    try {
      await insertEntries(database, ring, entries);
      return "written";
    } catch (error) {
      const isRefused = failureOf(error instanceof HostError ? error.cause : error) === "statement";
      if (isRefused) this.#lose(entries.length);
      log.log(isRefused ? "error" : "warn", isRefused ? "audit.refused" : "audit.spooled", {
        entries: entries.length,
        error: messageOf(error),
      });
      return isRefused ? "refused" : "away";
    }
  }

  #link(entry: string): ChainedEntry {
    const { chain, day, keyId, key } = this.#chain as Chain;
    const position = this.#position + 1;
    const hash = entryHash(key, this.#lastHash, { chain, day, position, entry });
    this.#position = position;
    this.#lastHash = hash;
    return { chain, day, keyId, position, entry, hash };
  }

  async #startChain(day: string): Promise<void> {
    const { database, ring, node } = this.#context;
    const chain = await startChain(database, ring, node, day);
    this.#chain = chain;
    this.#position = 0;
    this.#lastHash = firstHash(chain);
  }

  #failed(count: number, problem: string): void {
    this.#isFailing = true;
    this.#lose(count);
    this.#context.log.log("error", "audit.lost", { entries: count, error: problem });
  }

  #lose(count: number): void {
    this.#lost += count;
    this.#unreported += count;
  }

  /** Records how many entries were lost, as soon as entries can be written again. */
  #reportLost(): void {
    if (this.#unreported === 0 || this.#isFailing) return;
    const { clock } = this.#context;
    const at = clock.now();
    const time = at.toString(16).padStart(12, "0");
    const entry: AuditEntry = {
      id: `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${"0".repeat(12)}`,
      at,
      kind: "admin",
      client: {},
      session: "",
      endpoint: "",
      method: "audit/lost",
      item: String(this.#unreported),
      clientEra: "modern",
      outcome: "failed",
      durationMs: 0,
      bytesOut: 0,
    };
    this.#unreported = 0;
    this.#waiting.push(JSON.stringify(entry));
  }
}
