import type { Connection } from "../connection/index.ts";
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
}

interface Known {
  readonly fingerprint: string;
  readonly catalog: Catalog;
  revision: number;
}

export function createCatalogs({ cache, clock, ttlMs, connect, onChange }: CatalogsOptions): Catalogs {
  const known = new Map<string, Known>();
  const reading = new Map<string, Promise<KnownCatalog>>();
  const followed = new WeakSet<Connection>();

  const withAge = (catalog: Catalog): KnownCatalog => ({
    catalog,
    stale: clock.now() - catalog.readAt >= ttlMs,
  });

  const keep = (subject: CatalogSubject, catalog: Catalog): KnownCatalog => {
    const revision = (known.get(subject.name)?.revision ?? 0) + 1;
    known.set(subject.name, { fingerprint: subject.fingerprint, catalog, revision });
    if (revision > 1) onChange(subject.name, revision);
    return withAge(catalog);
  };

  const read = async (subject: CatalogSubject): Promise<KnownCatalog> => {
    const connection = await connect(subject.name);
    follow(connection, subject);
    const catalog = await readCatalog(connection, subject.timeoutMs, () => clock.now());
    await cache.write(subject.fingerprint, toCached(catalog));
    return keep(subject, catalog);
  };

  /** A server that says its lists changed is asked again, once however often it says so meanwhile. */
  const follow = (connection: Connection, subject: CatalogSubject): void => {
    if (followed.has(connection)) return;
    followed.add(connection);
    connection.onNotification((method) => {
      if (method.endsWith("/list_changed")) void refresh(subject).catch(() => undefined);
    });
  };

  const refresh = (subject: CatalogSubject): Promise<KnownCatalog> => {
    const running = reading.get(subject.name);
    if (running !== undefined) return running;
    const started = read(subject).finally(() => reading.delete(subject.name));
    reading.set(subject.name, started);
    return started;
  };

  const peek = async (subject: CatalogSubject): Promise<KnownCatalog | undefined> => {
    const mine = known.get(subject.name);
    if (mine !== undefined && mine.fingerprint === subject.fingerprint) return withAge(mine.catalog);
    const cached = await cache.read(subject.fingerprint);
    return cached && keep(subject, fromCached(cached.content, cached.savedAt));
  };

  return { peek, refresh, get: async (subject) => (await peek(subject)) ?? (await refresh(subject)) };
}
