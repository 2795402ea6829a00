import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { createFakeConnection, type FakeConnection } from "../../test/support/fake-connection.ts";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import type { JsonObject } from "../model/index.ts";
import {
  type CatalogCache,
  catalogsOf,
  createDeferredWrites,
  createFileCatalogs,
  type DeferredWrites,
} from "../state/index.ts";
import { createManualClock, type ManualClock } from "../testing/index.ts";
import { type CatalogSubject, type Catalogs, createCatalogs, type KnownCatalog } from "./catalogs.ts";

const PLACES = { userConfig: "/c", settings: "/s", state: "/state", cache: "/cache" };
const SUBJECT: CatalogSubject = {
  name: "files",
  fingerprint: "abc",
  account: "",
  isCached: true,
  timeoutMs: 1_000,
  ttlMs: undefined,
};
const TTL_MS = 60_000;
const TOOL = { name: "read", inputSchema: {} };
const nothingSaved: CatalogCache = {
  read: async () => undefined,
  write: async () => {},
  remove: async () => {},
};

interface World {
  readonly catalogs: Catalogs;
  readonly clock: ManualClock;
  readonly connection: FakeConnection;
  readonly changes: string[];
  readonly cache: CatalogCache;
  readonly later: DeferredWrites;
  /** What the server lists from now on. */
  offer(...names: readonly string[]): void;
}

/** Simulates one run of the program. A second run finds the cache of the first. */
function createWorld(
  cache?: CatalogCache,
  clock = createManualClock(1_000_000),
  given?: FakeConnection,
): World {
  let names: readonly string[] = ["read"];
  const changes: string[] = [];
  const connection =
    given ?? createFakeConnection((): JsonObject => ({ tools: names.map((name) => ({ name })) }));
  const ports = { ...createFakePorts(), clock };
  const later = createDeferredWrites(ports);
  const own = cache ?? catalogsOf(createFileCatalogs(ports, PLACES, later), ports.log);
  const catalogs = createCatalogs({
    cache: own,
    later,
    clock,
    ttlMs: TTL_MS,
    connect: async () => connection,
    onChange: (_, kind, revision) => changes.push(`${kind} ${revision}`),
  });
  return {
    catalogs,
    later,
    clock,
    connection,
    changes,
    cache: own,
    offer: (...offered) => void (names = offered),
  };
}

/** Waits until pending work has run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
}

const summary = (known: KnownCatalog | undefined) =>
  known && { tools: known.catalog.tools.map(({ name }) => name), stale: known.stale.tools };

describe("the catalog of a server", () => {
  test("is empty at first, and peeking does not contact the server", async () => {
    const { catalogs, connection } = createWorld();
    expect([await catalogs.peek(SUBJECT), connection.asked]).toEqual([undefined, []]);
  });

  test("is requested once for concurrent callers", async () => {
    const { catalogs, connection } = createWorld();
    const known = await Promise.all([
      catalogs.get(SUBJECT),
      catalogs.get(SUBJECT),
      catalogs.refresh(SUBJECT),
    ]);
    expect([known.map(summary), connection.asked]).toEqual([
      Array.from({ length: 3 }, () => ({ tools: ["read"], stale: false })),
      ["tools/list"],
    ]);
  });

  test("is available in the next run without a request", async () => {
    const first = createWorld();
    await first.catalogs.get(SUBJECT);
    await first.later.done();
    const second = createWorld(first.cache, first.clock);
    expect([summary(await second.catalogs.get(SUBJECT)), second.connection.asked]).toEqual([
      { tools: ["read"], stale: false },
      [],
    ]);
  });

  test("is not used for another launch with the same name", async () => {
    const { catalogs } = createWorld();
    await catalogs.get(SUBJECT);
    expect(await catalogs.peek({ ...SUBJECT, fingerprint: "other" })).toBeUndefined();
  });

  test.each([
    ["younger than its time to live is fresh", TTL_MS - 1, false],
    ["as old as its time to live is stale but available", TTL_MS, true],
    ["from the future, by a clock that was set back, is stale", -1, true],
  ])("that is %s", async (_, age, stale) => {
    const saved: CatalogCache = {
      ...nothingSaved,
      read: async () => ({
        content: { readings: { tools: { readAt: 1_000_000 } } },
        tools: [TOOL],
        toolsSum: "",
      }),
    };
    const { catalogs } = createWorld(saved, createManualClock(1_000_000 + age));
    expect(summary(await catalogs.peek(SUBJECT))).toEqual({ tools: ["read"], stale });
  });

  test("survives a corrupt cache", async () => {
    const nonsense: CatalogCache = {
      ...nothingSaved,
      read: async () => ({
        content: { resources: 7, instructions: [], readings: { tools: { readAt: "yesterday" } } },
        tools: [null, { name: 5 }, { name: "bare" }, { ...TOOL, description: 5 }, TOOL],
        toolsSum: "",
      }),
    };
    expect(summary(await createWorld(nonsense).catalogs.peek(SUBJECT))).toEqual({
      tools: ["read"],
      stale: true,
    });
  });
});

describe("a refresh", () => {
  test("that returns the same lists reports no change", async () => {
    const { catalogs, changes } = createWorld();
    await catalogs.refresh(SUBJECT);
    await catalogs.refresh(SUBJECT);
    expect(changes).toEqual([]);
  });

  test("keeps the objects of unchanged tools, and the list object if no tool changed", async () => {
    const { catalogs, offer } = createWorld();
    const toolsNow = async () => (await catalogs.refresh(SUBJECT)).catalog.tools;
    offer("read", "write");
    const [first, second] = [await toolsNow(), await toolsNow()];
    expect(second).toBe(first);
    offer("append", "write");
    const [added, kept] = await toolsNow();
    expect(added).toMatchObject({ name: "append" });
    expect(kept).toBe(first[1]);
  });

  test("that returns other lists reports a change, which the next run sees", async () => {
    const { catalogs, changes, offer, cache, clock, later } = createWorld();
    await catalogs.refresh(SUBJECT);
    offer("read", "write");
    const known = summary(await catalogs.refresh(SUBJECT));
    await later.done();
    const nextRun = summary(await createWorld(cache, clock).catalogs.peek(SUBJECT));
    expect({ known, nextRun, changes }).toEqual({
      known: { tools: ["read", "write"], stale: false },
      nextRun: { tools: ["read", "write"], stale: false },
      changes: ["tools 2"],
    });
  });

  test("that fails is retried by the next caller", async () => {
    const world = createWorld();
    let broken = true;
    const catalogs = createCatalogs({
      cache: world.cache,
      later: world.later,
      clock: world.clock,
      ttlMs: TTL_MS,
      connect: () => (broken ? Promise.reject(new Error("refused")) : Promise.resolve(world.connection)),
      onChange: () => {},
    });
    await expect(catalogs.get(SUBJECT)).rejects.toThrow("refused");
    broken = false;
    expect(summary(await catalogs.get(SUBJECT))).toEqual({ tools: ["read"], stale: false });
  });
});

describe("a followed server", () => {
  test("is read again only when it announces a change", async () => {
    const { catalogs, connection, changes, offer } = createWorld();
    await catalogs.get(SUBJECT);
    catalogs.follow(SUBJECT, connection);
    connection.notify("notifications/message");
    offer("write");
    connection.notify("notifications/tools/list_changed");
    await vi.waitFor(() => expect(changes).toEqual(["tools 2"]));
    expect([summary(await catalogs.peek(SUBJECT)), connection.asked.length]).toEqual([
      { tools: ["write"], stale: false },
      2,
    ]);
  });

  test("is read again if it announces a change during a read", async () => {
    let answer = (_: JsonObject): void => {};
    const connection = createFakeConnection(
      () => new Promise<JsonObject>((resolve) => void (answer = resolve)),
    );
    const world = createWorld();
    const catalogs = createCatalogs({
      cache: world.cache,
      later: world.later,
      clock: world.clock,
      ttlMs: TTL_MS,
      connect: async () => connection,
      onChange: () => {},
    });
    catalogs.follow(SUBJECT, connection);
    const first = catalogs.refresh(SUBJECT);
    await vi.waitFor(() => expect(connection.asked).toHaveLength(1));
    connection.notify("notifications/tools/list_changed");
    answer({ tools: [{ name: "old" }] });
    await first;
    await vi.waitFor(() => expect(connection.asked).toHaveLength(2));
    answer({ tools: [{ name: "new" }] });
    await vi.waitFor(async () => expect(summary(await catalogs.peek(SUBJECT))?.tools).toEqual(["new"]));
  });

  test("with a stale list is read immediately", async () => {
    const world = createWorld();
    await world.catalogs.get(SUBJECT);
    world.clock.advance(TTL_MS);
    world.offer("fresh");
    world.catalogs.follow(SUBJECT, world.connection);
    await vi.waitFor(async () =>
      expect(summary(await world.catalogs.peek(SUBJECT))).toEqual({ tools: ["fresh"], stale: false }),
    );
  });

  test("is asked only for the list that changed", async () => {
    const connection = createFakeConnection(() => ({}), ["tools", "resources", "prompts"]);
    const { catalogs } = createWorld(undefined, undefined, connection);
    await catalogs.get(SUBJECT);
    catalogs.follow(SUBJECT, connection);
    connection.asked.length = 0;
    connection.notify("notifications/resources/list_changed");
    await vi.waitFor(() => expect(connection.asked).toEqual(["resources/list", "resources/templates/list"]));
  });

  test("is read at most once in two seconds, and the last announcement is not lost", async () => {
    const { catalogs, connection, clock, offer } = createWorld();
    await catalogs.get(SUBJECT);
    catalogs.follow(SUBJECT, connection);
    connection.asked.length = 0;
    for (let times = 0; times < 50; times += 1) connection.notify("notifications/tools/list_changed");
    await vi.waitFor(() => expect(connection.asked).toHaveLength(1));
    offer("last");
    connection.notify("notifications/tools/list_changed");
    clock.advance(1_999);
    await settle();
    expect(connection.asked).toHaveLength(1);
    clock.advance(1);
    await vi.waitFor(async () => expect(summary(await catalogs.peek(SUBJECT))?.tools).toEqual(["last"]));
    expect(connection.asked).toHaveLength(2);
  });

  test("is not read after it disconnects", async () => {
    let end = (): void => {};
    const ended = new Promise<{ expected: boolean; message: string }>((resolve) => {
      end = () => resolve({ expected: true, message: "closed" });
    });
    const { catalogs, connection, clock } = createWorld();
    await catalogs.get(SUBJECT);
    catalogs.follow(SUBJECT, { ...connection, ended });
    connection.notify("notifications/tools/list_changed");
    await vi.waitFor(() => expect(connection.asked).toHaveLength(2));
    connection.notify("notifications/tools/list_changed");
    end();
    await settle();
    clock.advance(10_000);
    await settle();
    expect(connection.asked).toHaveLength(2);
  });

  test("is read again when a caller requests lists that expired during the connection", async () => {
    const { catalogs, connection, clock, offer } = createWorld();
    await catalogs.get(SUBJECT);
    catalogs.follow(SUBJECT, connection);
    await settle();
    clock.advance(TTL_MS);
    offer("newer");
    expect(summary(await catalogs.get(SUBJECT))).toEqual({ tools: ["read"], stale: true });
    await vi.waitFor(async () =>
      expect(summary(await catalogs.peek(SUBJECT))).toEqual({ tools: ["newer"], stale: false }),
    );
  });
});

test("a list that the server does not offer does not become stale earlier than the others", async () => {
  const { catalogs, clock } = createWorld();
  await catalogs.refresh(SUBJECT);
  clock.advance(TTL_MS);
  await catalogs.refresh(SUBJECT);
  expect((await catalogs.peek(SUBJECT))?.stale).toEqual({ tools: false, resources: false, prompts: false });
});

test("the problems of a list disappear when the server no longer offers it", async () => {
  const all = createFakeConnection(
    (method) => (method === "tools/list" ? { tools: [TOOL] } : { prompts: [{}] }),
    ["tools", "prompts"],
  );
  const toolsOnly = createFakeConnection(() => ({ tools: [TOOL] }));
  const { cache, later, clock } = createWorld();
  const connections = [all, toolsOnly];
  const catalogs = createCatalogs({
    cache,
    later,
    clock,
    ttlMs: TTL_MS,
    connect: async () => connections.shift() ?? toolsOnly,
    onChange: () => {},
  });
  await catalogs.refresh(SUBJECT);
  const before = catalogs.problems(SUBJECT.name).length;
  await catalogs.refresh(SUBJECT);
  expect([before, catalogs.problems(SUBJECT.name)]).toEqual([1, []]);
});

test("another launch with the same name is read separately, even while the first one is read", async () => {
  const { catalogs, connection } = createWorld();
  const other = { ...SUBJECT, fingerprint: "other" };
  await Promise.all([catalogs.refresh(SUBJECT), catalogs.refresh(other)]);
  expect([summary(await catalogs.peek(other)), connection.asked]).toEqual([
    { tools: ["read"], stale: false },
    ["tools/list", "tools/list"],
  ]);
});

test("lists are stored for the launch that returned them", async () => {
  const { catalogs, connection } = createWorld(nothingSaved);
  const reloaded = { ...SUBJECT, fingerprint: "def" };
  catalogs.follow(reloaded, { ...connection });
  expect(summary(await catalogs.refresh(SUBJECT))).toEqual({ tools: ["read"], stale: false });
  expect([catalogs.inMemory(SUBJECT), catalogs.inMemory(reloaded)?.tools.length]).toEqual([undefined, 1]);
});

describe("the time to live of a list", () => {
  const freshFor = async (said: JsonObject, ttlMs: number | undefined): Promise<number> => {
    const clock = createManualClock(1_000_000);
    const connection = createFakeConnection(() => ({ tools: [TOOL], ...said }));
    const { catalogs } = createWorld(undefined, clock, connection);
    const subject = { ...SUBJECT, ttlMs };
    await catalogs.get(subject);
    for (let ms = 0; ; ms += 10_000, clock.advance(10_000))
      if ((await catalogs.peek(subject))?.stale.tools !== false) return ms;
  };

  test.each<[string, JsonObject, number | undefined, number]>([
    ["the host's setting", {}, undefined, TTL_MS],
    ["the entry's value instead of the host's", {}, 20_000, 20_000],
    ["the server's own value first", { ttlMs: 30_000, cacheScope: "private" }, 20_000, 30_000],
    ["zero if the server returns zero", { ttlMs: 0 }, 20_000, 0],
  ])("is %s", async (_, said, entry, expected) => {
    expect(await freshFor(said, entry)).toBe(expected);
  });
});

test("a forgotten catalog is not available in the next run either", async () => {
  const { catalogs, cache, clock } = createWorld();
  await catalogs.get(SUBJECT);
  await catalogs.forget(SUBJECT);
  expect([await catalogs.peek(SUBJECT), await createWorld(cache, clock).catalogs.peek(SUBJECT)]).toEqual([
    undefined,
    undefined,
  ]);
});

test("accounts do not share lists", async () => {
  const { catalogs } = createWorld();
  await catalogs.get({ ...SUBJECT, account: "me" });
  expect(await catalogs.peek({ ...SUBJECT, account: "you" })).toBeUndefined();
});
