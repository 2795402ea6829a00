import { messageOf, notifyListener } from "../../model/index.ts";
import type { Ports } from "../../platform/index.ts";
import type { Change, RevisionKind, Revisions } from "../store.ts";
import type { ListFile } from "./list-file.ts";

/** Short enough that a revoked token is refused within two seconds. */
const POLL_MS = 1_000;

/** A list whose changes are announced. */
export interface WatchedList {
  readonly kind: RevisionKind;
  readonly file: ListFile<object>;
  /** Returns the key of an item's changes. */
  keyOf(item: object): string;
}

/** Announces what this and other processes change in files. */
export class FileRevisions implements Revisions {
  readonly #ports: Ports;
  readonly #lists: readonly WatchedList[];
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #known = new Map<string, { readonly stamp: string | undefined; readonly items: Items }>();
  #stopTimer = (): void => {};
  #isClosed = false;
  #isPolling = false;
  #lastLook: Promise<void> = Promise.resolve();

  constructor(ports: Ports, lists: readonly WatchedList[]) {
    this.#ports = ports;
    this.#lists = lists;
  }

  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    if (!this.#isPolling) this.#poll();
    this.#isPolling = true;
    return () => this.#listeners.delete(listener);
  }

  async raise(kind: RevisionKind, key: string): Promise<void> {
    this.#announce(kind, key);
  }

  /** Looks for changes now. The first call only records the current state. */
  look(): Promise<void> {
    this.#lastLook = this.#lastLook.then(async () => {
      for (const list of this.#lists) await this.#compare(list);
    });
    return this.#lastLook;
  }

  close(): void {
    this.#isClosed = true;
    this.#stopTimer();
  }

  #poll(): void {
    if (this.#isClosed) return;
    this.#stopTimer = this.#ports.clock.after(POLL_MS, () => void this.look().then(() => this.#poll()), {
      background: true,
    });
  }

  async #compare({ kind, file, keyOf }: WatchedList): Promise<void> {
    const { files, log } = this.#ports;
    try {
      const before = this.#known.get(kind);
      const stamp = await files.stamp(file.path);
      if (before !== undefined && before.stamp === stamp) return;
      const items: Items = new Map(
        (await file.read()).map((item) => [JSON.stringify(item), keyOf(item)] as const),
      );
      this.#known.set(kind, { stamp, items });
      if (before === undefined) return;
      for (const key of changedKeys(before.items, items)) this.#announce(kind, key);
    } catch (error) {
      log.log("warn", "team.store.unreadable", { file: file.path, error: messageOf(error) });
    }
  }

  #announce(kind: RevisionKind, key: string): void {
    const change: Change = { kind, key };
    for (const listener of Array.from(this.#listeners))
      notifyListener(listener, change, (error) =>
        this.#ports.log.log("error", "listener.failed", { error: messageOf(error) }),
      );
  }
}

/** The key of each item's changes, by the item's text. */
type Items = ReadonlyMap<string, string>;

function changedKeys(before: Items, after: Items): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const [text, key] of [...before, ...after]) if (before.has(text) !== after.has(text)) keys.add(key);
  return keys;
}
