import type { Connection, ServerRelay } from "../connection/index.ts";
import { type CatalogKind, createSerialQueues, type Problem, singleFlight } from "../model/index.ts";
import { type Clock, elapsed } from "../platform/index.ts";
import type { CatalogCache, CatalogKey, DeferredWrites } from "../state/index.ts";
import { fromCached, toCachedTexts } from "./cached-catalog.ts";
import { CATALOG_KINDS, type Catalog, listsOf, problemsOf, type Reading, readCatalog } from "./catalog.ts";
import { coalesce } from "./coalesce.ts";
import { sameItems } from "./compare-items.ts";
import { maskCatalog } from "./mask-catalog.ts";
import type { SharedLists } from "./shared-lists.ts";

/** Lists are read at most once in this time, even if a server keeps announcing changes. */
const LEAST_BETWEEN_READS_MS = 2_000;

const ANNOUNCED: ReadonlyMap<string, CatalogKind> = new Map(
  CATALOG_KINDS.map((kind) => [`notifications/${kind}/list_changed`, kind]),
);

/** The server whose lists are read. */
export interface CatalogSubject extends CatalogKey {
  readonly name: string;
  readonly timeoutMs: number;
  /** Whether its lists are cached on disk for the next run. */
  readonly isCached: boolean;
  /** How long its lists count as fresh, if its entry sets that. */
  readonly ttlMs: number | undefined;
}

/** Options for `createCatalogs`. */
export interface CatalogsOptions {
  readonly cache: CatalogCache;
  readonly later: DeferredWrites;
  readonly clock: Clock;
  readonly ttlMs: number;
  connect(server: string): Promise<Connection>;
  /** Returns a function that masks all secrets known so far in a text; `undefined` if none are known. */
  mask?(): ((text: string) => string) | undefined;
  /** Masks secrets in a message for people. */
  redact?(text: string): string;
  /** Whether to keep definitions as servers sent them, see `wireOf`. */
  readonly verbatim?: boolean | undefined;
  /** Changes or drops items before they are kept as servers sent them. */
  readonly passOn?: ServerRelay["passOn"];
  /** Holds equal lists of several catalogs once. */
  readonly lists?: SharedLists | undefined;
  onChange(server: string, kind: CatalogKind, revision: number): void;
}

/** A catalog and its age. */
export interface KnownCatalog {
  readonly catalog: Catalog;
  /** Which lists have expired. They are refreshed at the next connection. */
  readonly stale: Readonly<Record<CatalogKind, boolean>>;
  /** When an earlier run read the tools. Absent if this run read them. */
  readonly cachedAt?: number;
}

/** The catalogs of all servers. */
export interface Catalogs {
  /** Returns the catalog in memory. Reads no file. */
  inMemory(subject: CatalogSubject): Catalog | undefined;
  /** Returns the cached catalog, from memory or disk. Does not connect. */
  peek(subject: CatalogSubject): Promise<KnownCatalog | undefined>;
  /** Returns the cached catalog like `peek`. If the server is connected, also starts reading the lists that have expired. */
  current(subject: CatalogSubject): Promise<KnownCatalog | undefined>;
  /** Returns the cached catalog, or reads it from the server if there is none. */
  get(subject: CatalogSubject): Promise<KnownCatalog>;
  /** Reads the catalog from the server. Concurrent callers share one request. */
  refresh(subject: CatalogSubject): Promise<KnownCatalog>;
  /** Follows a new connection: reads expired lists now, and others when the server announces a change. */
  follow(subject: CatalogSubject, connection: Connection): void;
  /** Returns the problems of the lists as last read. */
  problems(server: string): readonly Problem[];
  /** Removes the catalog from memory and disk. */
  forget(subject: CatalogSubject): Promise<void>;
}

interface Known extends CatalogKey {
  readonly catalog: Catalog;
  readonly revision: number;
}

const FRESH: KnownCatalog["stale"] = { tools: false, resources: false, prompts: false };

const writeOf = ({ fingerprint, account }: CatalogKey): string => `lists ${fingerprint} ${account}`;
/** Includes the name, because two servers with the same launch have separate connections. */
const readingOf = (subject: CatalogSubject): string => `${writeOf(subject)} ${subject.name}`;

export function createCatalogs(options: CatalogsOptions): Catalogs {
  const { cache, later, clock, ttlMs, connect, onChange } = options;
  const known = new Map<string, Known>();
  /** Tool lists from disk that this run has not read from a server. */
  const fromDisk = new WeakSet<Catalog["tools"]>();
  /** Refreshes of all lists that are in progress. */
  const refreshing = new Map<string, Promise<KnownCatalog>>();
  /** Reads the lists of one server one after the other. */
  const enqueue = createSerialQueues();
  /** Functions that read a list of a connected server again, by server. */
  const following = new Map<string, (kind: CatalogKind) => void>();
  /**
   * The launch of each connection, because a name can refer to another launch after a reload. Keyed by `ended` because wrappers of a
   * connection share that promise.
   */
  const launchOf = new WeakMap<Connection["ended"], CatalogSubject>();

  const withAge = (subject: CatalogSubject, catalog: Catalog): KnownCatalog => {
    const isStale = (kind: CatalogKind): boolean => {
      const { readAt, ttlMs: serverTtl } = catalog.readings[kind];
      const age = clock.now() - readAt;
      return age >= (serverTtl ?? subject.ttlMs ?? ttlMs) || age < 0; // the clock may have been set back
    };
    const stale = { tools: isStale("tools"), resources: isStale("resources"), prompts: isStale("prompts") };
    return {
      catalog,
      stale,
      ...(fromDisk.has(catalog.tools) && { cachedAt: catalog.readings.tools.readAt }),
    };
  };
  const staleKinds = ({ stale }: KnownCatalog): CatalogKind[] => CATALOG_KINDS.filter((kind) => stale[kind]);

  const inMemory = (subject: CatalogSubject): Catalog | undefined => {
    const mine = known.get(subject.name);
    const isSame = mine?.fingerprint === subject.fingerprint && mine.account === subject.account;
    return isSame ? mine.catalog : undefined;
  };

  const keep = async (subject: CatalogSubject, catalog: Catalog): Promise<void> => {
    const before = known.get(subject.name);
    const changed = before === undefined ? [] : await changedKinds(before.catalog, catalog);
    if (known.get(subject.name) !== before) return keep(subject, catalog); // another read finished first
    const revision = (before?.revision ?? 1) + (changed.length > 0 ? 1 : 0);
    const { fingerprint, account } = subject;
    known.set(subject.name, { fingerprint, account, catalog, revision });
    for (const kind of changed) onChange(subject.name, kind, revision);
  };

  const read = async (
    subject: CatalogSubject,
    connection: Connection,
    kinds: readonly CatalogKind[],
  ): Promise<KnownCatalog> => {
    const before = inMemory(subject);
    const { timeoutMs } = subject;
    const received = await readCatalog(connection, {
      kinds: before === undefined ? CATALOG_KINDS : kinds,
      timeoutMs,
      now: () => clock.now(),
      elapsed: () => elapsed(clock),
      before,
      verbatim: options.verbatim,
      passOn: options.passOn,
    });
    const masked = withMaskedProblems(await maskCatalog(received, options.mask?.()), options);
    const catalog = (await options.lists?.share(masked)) ?? masked;
    if (kinds.includes("tools")) fromDisk.delete(catalog.tools); // unchanged lists are the same object
    if (subject.isCached)
      later.put(writeOf(subject), async () => {
        const texts = await toCachedTexts(catalog);
        await (texts === undefined
          ? cache.remove(subject)
          : cache.write(subject, texts.content, texts.tools));
      });
    await keep(subject, catalog);
    return { catalog, stale: FRESH }; // even if its time to live is zero
  };

  const refresh = (subject: CatalogSubject): Promise<KnownCatalog> => {
    const { name } = subject;
    const wanted = readingOf(subject);
    return singleFlight(refreshing, wanted, () =>
      enqueue(name, async () => {
        const connection = await connect(name);
        return read(launchOf.get(connection.ended) ?? subject, connection, CATALOG_KINDS);
      }),
    );
  };

  const peek = async (subject: CatalogSubject): Promise<KnownCatalog | undefined> => {
    const before = inMemory(subject);
    if (before !== undefined) return withAge(subject, before);
    const content = subject.isCached ? await cache.read(subject) : undefined;
    const cached = content && (await fromCached(content));
    const catalog = cached && ((await options.lists?.share(cached)) ?? cached);
    // Meanwhile the server's lists may have arrived, or another caller may have read the same file.
    if (catalog !== undefined && inMemory(subject) === undefined) {
      const other = known.get(subject.name);
      fromDisk.add(catalog.tools);
      known.set(subject.name, {
        fingerprint: subject.fingerprint,
        account: subject.account,
        catalog,
        revision: (other?.revision ?? 0) + 1,
      });
    }
    const found = inMemory(subject);
    return found && withAge(subject, found);
  };

  /** Reads only from this connection, so that a closed one does not start the server. Ignores failures; the server's state shows them. */
  const follow = (subject: CatalogSubject, connection: Connection): void => {
    const { name } = subject;
    launchOf.set(connection.ended, subject);
    const readAgain = (kinds: () => readonly CatalogKind[]): Promise<void> =>
      enqueue(name, async () => {
        const wanted = kinds();
        if (wanted.length > 0) await read(subject, connection, wanted);
      }).catch(() => undefined);
    const announcements = coalesce<CatalogKind>(clock, LEAST_BETWEEN_READS_MS, (kinds) =>
      readAgain(() => [...kinds]),
    );
    connection.onNotification((method) => {
      const kind = ANNOUNCED.get(method);
      if (kind !== undefined) announcements.ask(kind);
    });
    following.set(name, announcements.ask);
    void connection.ended.then(() => {
      announcements.stop();
      if (following.get(name) === announcements.ask) following.delete(name);
    });
    if (refreshing.has(readingOf(subject))) return; // all lists are being read already
    void peek(subject).then((mine) => {
      if (mine === undefined || staleKinds(mine).length === 0) return;
      void readAgain(() => staleKinds(withAge(subject, inMemory(subject) ?? mine.catalog)));
    });
  };

  const current = async (subject: CatalogSubject): Promise<KnownCatalog | undefined> => {
    const mine = await peek(subject);
    const readAgain = following.get(subject.name);
    if (mine !== undefined && readAgain !== undefined) for (const kind of staleKinds(mine)) readAgain(kind);
    return mine;
  };

  return {
    inMemory,
    peek,
    current,
    get: async (subject) => (await current(subject)) ?? refresh(subject),
    refresh,
    follow,
    problems(server) {
      const mine = known.get(server);
      return mine === undefined ? [] : problemsOf(mine.catalog);
    },
    async forget(subject) {
      known.delete(subject.name);
      await later.drop(writeOf(subject));
      await cache.remove(subject);
    },
  };
}

async function changedKinds(left: Catalog, right: Catalog): Promise<CatalogKind[]> {
  const changed: CatalogKind[] = [];
  for (const kind of CATALOG_KINDS) {
    const others = listsOf(right, kind);
    for (const [index, list] of listsOf(left, kind).entries()) {
      if (changed.includes(kind) || (await sameItems(list, others[index] ?? []))) continue;
      changed.push(kind);
    }
  }
  return changed;
}

/** Masks secrets in the problems of a list, because they quote the server. */
function withMaskedProblems(catalog: Catalog, { redact }: Pick<CatalogsOptions, "redact">): Catalog {
  if (redact === undefined || problemsOf(catalog).length === 0) return catalog;
  const masked = (kind: CatalogKind): Reading => {
    const { problems, ...reading } = catalog.readings[kind];
    return {
      ...reading,
      problems: problems.map((problem) => ({ ...problem, message: redact(problem.message) })),
    };
  };
  const readings = { tools: masked("tools"), resources: masked("resources"), prompts: masked("prompts") };
  return { ...catalog, readings };
}
