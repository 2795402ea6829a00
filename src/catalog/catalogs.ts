import type { Connection } from "../connection/index.ts";
import { canonicalJson } from "../model/index.ts";
import type { Clock } from "../platform/index.ts";
import type { CatalogCache } from "../state/index.ts";
import { type Catalog, fromCached, readCatalog, toCached } from "./catalog.ts";

/** What is needed of a server to read its lists. */
export interface CatalogSubject {
  readonly name: string;
  /** Changes when another server may answer: the key of the cache. */
  readonly fingerprint: string;
  readonly timeoutMs: number;
}

export interface CatalogsOptions {
  readonly cache: CatalogCache;
  readonly clock: Clock;
  readonly ttlMs: number;
  connect(server: string): Promise<Connection>;
  onChange(server: string, revision: number): void;
}

export interface KnownCatalog {
  readonly catalog: Catalog;
  /** Older than its time to live, or announced as changed; refreshed at the next connection. */
  readonly stale: boolean;
}

export interface Catalogs {
  /** What is known without connecting. */
  peek(subject: CatalogSubject): Promise<KnownCatalog | undefined>;
  /** What is known, else what the server says: connects only when nothing is known. */
  get(subject: CatalogSubject): Promise<KnownCatalog>;
  /** What the server says now. One request however many callers. */
  refresh(subject: CatalogSubject): Promise<KnownCatalog>;
  /** Listens to a new connection: lists that it says changed, or that are stale by now, are read again. */
  follow(subject: CatalogSubject, connection: Connection): void;
  /** As if the server had never been asked. */
  forget(subject: CatalogSubject): Promise<void>;
  /** Resolves when everything that was read is on the disk. */
  saved(): Promise<void>;
}

interface Known {
  readonly fingerprint: string;
  readonly catalog: Catalog;
  revision: number;
}

export function createCatalogs({ cache, clock, ttlMs, connect, onChange }: CatalogsOptions): Catalogs {
  const known = new Map<string, Known>();
  const reading = new Map<string, Promise<KnownCatalog>>();
  const saving = new Map<string, Promise<void>>();

  const withAge = (catalog: Catalog): KnownCatalog => {
    const age = clock.now() - catalog.readAt;
    return { catalog, stale: age >= ttlMs || age < 0 }; // the clock may have been set back
  };

  const keep = (subject: CatalogSubject, catalog: Catalog): KnownCatalog => {
    const before = known.get(subject.name);
    const changed = before !== undefined && !offersTheSame(before.catalog, catalog);
    const revision = before === undefined ? 1 : before.revision + (changed ? 1 : 0);
    known.set(subject.name, { fingerprint: subject.fingerprint, catalog, revision });
    if (changed) onChange(subject.name, revision);
    return withAge(catalog);
  };

  /** Nobody waits for the disk; whoever closes does. One file is written one time after the other. */
  const save = ({ fingerprint }: CatalogSubject, catalog: Catalog): void => {
    const before = saving.get(fingerprint) ?? Promise.resolve();
    const done = before
      .then(() => cache.write(fingerprint, toCached(catalog)))
      .finally(() => {
        if (saving.get(fingerprint) === done) saving.delete(fingerprint);
      });
    saving.set(fingerprint, done);
  };

  const read = async (subject: CatalogSubject): Promise<KnownCatalog> => {
    const connection = await connect(subject.name);
    const catalog = await readCatalog(connection, subject.timeoutMs, () => clock.now());
    save(subject, catalog);
    return keep(subject, catalog);
  };

  /** A failure to read shows in the server's state. */
  const follow = (subject: CatalogSubject, connection: Connection): void => {
    const readAgain = (): void => {
      // What is being read now may be older than the news.
      const before = reading.get(subject.name)?.catch(() => undefined) ?? Promise.resolve();
      void before.then(() => refresh(subject)).catch(() => undefined);
    };
    connection.onNotification((method) => {
      if (method.endsWith("/list_changed")) readAgain();
    });
    void peek(subject).then((mine) => {
      if (mine?.stale) readAgain();
    });
  };

  const refresh = (subject: CatalogSubject): Promise<KnownCatalog> => {
    const running = reading.get(subject.name);
    if (running !== undefined) return running;
    const started = read(subject).finally(() => reading.delete(subject.name));
    reading.set(subject.name, started);
    return started;
  };

  const inMemory = ({ name, fingerprint }: CatalogSubject): KnownCatalog | undefined => {
    const mine = known.get(name);
    return mine?.fingerprint === fingerprint ? withAge(mine.catalog) : undefined;
  };

  const peek = async (subject: CatalogSubject): Promise<KnownCatalog | undefined> => {
    const before = inMemory(subject);
    if (before !== undefined) return before;
    const cached = await cache.read(subject.fingerprint);
    const meanwhile = inMemory(subject); // the server's own word, or another caller's reading of the same file
    return meanwhile ?? (cached && keep(subject, fromCached(cached.content, cached.savedAt)));
  };

  return {
    peek,
    refresh,
    follow,
    get: async (subject) => (await peek(subject)) ?? (await refresh(subject)),
    async forget({ name, fingerprint }) {
      known.delete(name);
      await saving.get(fingerprint);
      await cache.remove(fingerprint);
    },
    async saved() {
      await Promise.all(saving.values());
    },
  };
}

function offersTheSame(left: Catalog, right: Catalog): boolean {
  return canonicalJson(toCached(left)) === canonicalJson(toCached(right));
}
