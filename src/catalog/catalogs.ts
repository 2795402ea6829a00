import type { Connection } from "../connection/index.ts";
import type { CatalogKind, Problem } from "../model/index.ts";
import { type Clock, elapsed } from "../platform/index.ts";
import type { CatalogCache, CatalogKey, LaterWrites } from "../state/index.ts";
import { fromCached, toCachedTexts } from "./cached-catalog.ts";
import { CATALOG_KINDS, type Catalog, listsOf, problemsOf, type Reading, readCatalog } from "./catalog.ts";
import { coalesce } from "./coalesce.ts";
import { maskCatalog } from "./mask-catalog.ts";
import { sameItems } from "./same-items.ts";

/** A server that announces changes without end is asked once in this time. */
const REST_MS = 2_000;

const ANNOUNCED: ReadonlyMap<string, CatalogKind> = new Map(
  CATALOG_KINDS.map((kind) => [`notifications/${kind}/list_changed`, kind]),
);

/** What is needed of a server to read its lists. */
export interface CatalogSubject extends CatalogKey {
  readonly name: string;
  readonly timeoutMs: number;
  /** How long its lists count as fresh, where its entry says so. */
  readonly ttlMs: number | undefined;
}

export interface CatalogsOptions {
  readonly cache: CatalogCache;
  readonly later: LaterWrites;
  readonly clock: Clock;
  readonly ttlMs: number;
  connect(server: string): Promise<Connection>;
  /** Takes the secrets that are known by now out of a text; nothing if none is known. */
  mask?(): ((text: string) => string) | undefined;
  /** Takes secrets out of a message for people. */
  redact?(text: string): string;
  onChange(server: string, kind: CatalogKind, revision: number): void;
}

export interface KnownCatalog {
  readonly catalog: Catalog;
  /** Older than its time to live; refreshed at the next connection. */
  readonly stale: Readonly<Record<CatalogKind, boolean>>;
  /** When the tools were read, if an earlier run did so. */
  readonly cachedAt?: number;
}

export interface Catalogs {
  /** What is known without looking anywhere. */
  inMemory(subject: CatalogSubject): Catalog | undefined;
  /** What is known without connecting. */
  peek(subject: CatalogSubject): Promise<KnownCatalog | undefined>;
  /** What is known, else what the server says: connects only when nothing is known. */
  get(subject: CatalogSubject): Promise<KnownCatalog>;
  /** What the server says now. One request however many callers. */
  refresh(subject: CatalogSubject): Promise<KnownCatalog>;
  /** Listens to a new connection: lists that it says changed, or that are stale by now, are read again. */
  follow(subject: CatalogSubject, connection: Connection): void;
  /** What was wrong with the lists as last read. */
  problems(server: string): readonly Problem[];
  /** Forgets what is known, on the disk too. */
  forget(subject: CatalogSubject): Promise<void>;
}

interface Known extends CatalogKey {
  readonly catalog: Catalog;
  readonly revision: number;
}

const FRESH: KnownCatalog["stale"] = { tools: false, resources: false, prompts: false };

const writeOf = ({ fingerprint, account }: CatalogKey): string => `lists ${fingerprint} ${account}`;
/** Two servers of one launch are two conversations. */
const readingOf = (subject: CatalogSubject): string => `${writeOf(subject)} ${subject.name}`;

export function createCatalogs(options: CatalogsOptions): Catalogs {
  const { cache, later, clock, ttlMs, connect, onChange } = options;
  const known = new Map<string, Known>();
  /** Lists of tools that no server was asked for in this run. */
  const fromDisk = new WeakSet<Catalog["tools"]>();
  /** Whole readings that others who want the same lists can join. */
  const refreshing = new Map<string, Promise<KnownCatalog>>();
  const lineUp = createLines();
  /** How to have a list of a connected server read again. */
  const following = new Map<string, (kind: CatalogKind) => void>();
  /** Which launch a conversation is with, by its end, which stays the same where requests are counted: after a reload a name leads to another. */
  const launchOf = new WeakMap<Connection["ended"], CatalogSubject>();

  const withAge = (subject: CatalogSubject, catalog: Catalog): KnownCatalog => {
    const isStale = (kind: CatalogKind): boolean => {
      const { readAt, ttlMs: said } = catalog.readings[kind];
      const age = clock.now() - readAt;
      return age >= (said ?? subject.ttlMs ?? ttlMs) || age < 0; // the clock may have been set back
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
    if (known.get(subject.name) !== before) return keep(subject, catalog); // another was faster
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
    const said = await readCatalog(connection, {
      kinds: before === undefined ? CATALOG_KINDS : kinds,
      timeoutMs,
      now: () => clock.now(),
      elapsed: () => elapsed(clock),
      before,
    });
    const catalog = withMaskedProblems(await maskCatalog(said, options.mask?.()), options);
    if (kinds.includes("tools")) fromDisk.delete(catalog.tools); // unchanged lists are the same object
    later.put(writeOf(subject), async () => {
      const texts = await toCachedTexts(catalog);
      await (texts === undefined ? cache.remove(subject) : cache.write(subject, texts.content, texts.tools));
    });
    await keep(subject, catalog);
    return { catalog, stale: FRESH }; // whatever its time to live
  };

  const refresh = (subject: CatalogSubject): Promise<KnownCatalog> => {
    const { name } = subject;
    const wanted = readingOf(subject);
    const running = refreshing.get(wanted);
    if (running !== undefined) return running;
    const started = lineUp(name, async () => {
      const connection = await connect(name);
      return read(launchOf.get(connection.ended) ?? subject, connection, CATALOG_KINDS);
    }).finally(() => refreshing.delete(wanted));
    refreshing.set(wanted, started);
    return started;
  };

  const peek = async (subject: CatalogSubject): Promise<KnownCatalog | undefined> => {
    const before = inMemory(subject);
    if (before !== undefined) return withAge(subject, before);
    const content = await cache.read(subject);
    const catalog = content && (await fromCached(content));
    // Meanwhile there may be the server's own word, or another caller's reading of the same file.
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

  /** A failure to read shows in the server's state. Only this connection is asked: a dead one starts nothing. */
  const follow = (subject: CatalogSubject, connection: Connection): void => {
    const { name } = subject;
    launchOf.set(connection.ended, subject);
    const readAgain = (kinds: () => readonly CatalogKind[]): Promise<void> =>
      lineUp(name, async () => {
        const wanted = kinds();
        if (wanted.length > 0) await read(subject, connection, wanted);
      }).catch(() => undefined);
    const news = coalesce<CatalogKind>(clock, REST_MS, (kinds) => readAgain(() => [...kinds]));
    connection.onNotification((method) => {
      const kind = ANNOUNCED.get(method);
      if (kind !== undefined) news.ask(kind);
    });
    following.set(name, news.ask);
    void connection.ended.then(() => {
      news.stop();
      if (following.get(name) === news.ask) following.delete(name);
    });
    if (refreshing.has(readingOf(subject))) return; // all of it is being read
    void peek(subject).then((mine) => {
      if (mine === undefined || staleKinds(mine).length === 0) return;
      void readAgain(() => staleKinds(withAge(subject, inMemory(subject) ?? mine.catalog)));
    });
  };

  return {
    inMemory,
    peek,
    refresh,
    follow,
    async get(subject) {
      const mine = await peek(subject);
      if (mine === undefined) return refresh(subject);
      const readAgain = following.get(subject.name);
      if (readAgain !== undefined) for (const kind of staleKinds(mine)) readAgain(kind);
      return mine;
    },
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

/** The problems of a list repeat what the server said. */
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

/** What has the same key is done one after the other, not against each other. */
function createLines(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const ends = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = ends.get(key) ?? Promise.resolve();
    const done = before.then(work, work);
    ends.set(key, done);
    const leave = (): void => {
      if (ends.get(key) === done) ends.delete(key);
    };
    done.then(leave, leave);
    return done;
  };
}
