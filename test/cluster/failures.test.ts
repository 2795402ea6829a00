import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startDatabaseProxy } from "../support/database-proxy.ts";
import { noPostgres } from "../support/postgres.ts";
import { type ClusterWorld, createClusterWorld, textOf } from "./cluster-world.ts";
import type { LegacyClient } from "./legacy-client.ts";

type Node = Awaited<ReturnType<ClusterWorld["startLocal"]>>;

/** A twentieth of the real times. */
const nodeTimes = { heartbeatMs: 250, deadMs: 2_000, sureMs: 1_500 };

describe.skipIf(noPostgres !== undefined)("a node", () => {
  let world: ClusterWorld;
  beforeAll(async () => {
    world = await createClusterWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());
  afterEach(() => world.server.forget());

  const call = async (client: LegacyClient, id: string, url: string): Promise<string> =>
    textOf((await client.post("tools/call", { name: "counting_add", arguments: { id } }, url)).body);
  const ownerOf = async ({ session = "" }: LegacyClient): Promise<string | undefined> =>
    (await world.store.sessions.get(session))?.owner;

  /** Returns whether a node has read that another one runs. Nodes of earlier tests may still be in the table. */
  const know = (one: Node, other: Node): boolean =>
    one.gateway.cluster?.node.nodes.some(({ id }) => id === other.gateway.cluster?.node.id) === true;

  test("that loses the database drops its sessions, and joins again afterwards", async () => {
    await using proxy = await startDatabaseProxy(world.databaseUrl);
    await using first = await world.startLocal({ database: proxy.url, options: { nodeTimes } });
    await using second = await world.startLocal({ options: { nodeTimes } });
    const client = await world.client(await world.token("ada"), first.url).initialize();
    expect(await call(client, "before", first.url)).toBe("done before");
    await expect.poll(() => know(first, second) && know(second, first)).toBe(true);
    proxy.cut();
    const began = performance.now();
    const read = async (): Promise<number> => (await client.post("tools/list", {}, second.url)).status;
    for (let status = 0; status !== 200 || (await ownerOf(client)) !== second.gateway.cluster?.node.id; )
      status = await read();
    expect(performance.now() - began).toBeLessThan(10_000);
    await expect.poll(async () => (await client.post("ping", {}, first.url)).status).toBe(503);
    expect(await call(client, "during", second.url)).toBe("done during");
    proxy.restore();
    await expect
      .poll(async () => (await client.post("ping", {}, first.url)).status, { timeout: 15_000 })
      .toBe(200);
    expect(await call(client, "after", first.url)).toBe("done after");
    expect(await ownerOf(client)).toBe(second.gateway.cluster?.node.id);
    expect(new Set(world.server.counts.values())).toEqual(new Set([1]));
  });

  test("keeps its sessions while no node reaches the database", async () => {
    await using proxy = await startDatabaseProxy(world.databaseUrl);
    const options = { database: proxy.url, options: { nodeTimes } };
    await using first = await world.startLocal(options);
    await using second = await world.startLocal(options);
    const client = await world.client(await world.token("ada"), first.url).initialize();
    expect(await call(client, "before", second.url)).toBe("done before");
    await expect.poll(() => know(first, second) && know(second, first)).toBe(true);
    proxy.cut();
    const until = performance.now() + 4_000;
    for (let round = 0; performance.now() < until; round += 1)
      for (const { url } of [first, second]) expect((await client.post("ping", {}, url)).status).toBe(200);
    proxy.restore();
  });

  test("answers 503 for a session whose node has ended while the database is unavailable", async () => {
    await using proxy = await startDatabaseProxy(world.databaseUrl);
    await using first = await world.startProcess();
    await using second = await world.startLocal({ database: proxy.url });
    const client = await world.client(await world.token("ada"), first.url).initialize();
    expect((await client.post("ping", {}, second.url)).status).toBe(200);
    proxy.cut();
    first.kill("SIGKILL");
    await first.cli.ended;
    expect((await client.post("ping", {}, second.url)).status).toBe(503);
    proxy.restore();
    await expect
      .poll(async () => (await client.post("ping", {}, second.url)).status, { timeout: 10_000 })
      .toBe(200);
  });

  test("whose clock is two hours off keeps its sessions, and takes over none of a running node", async () => {
    const clock = {
      now: () => Date.now() + 7_200_000,
      elapsed: () => performance.now(),
      after(ms: number, callback: () => void, { background = false } = {}) {
        const timer = setTimeout(callback, ms);
        if (background) timer.unref();
        return () => clearTimeout(timer);
      },
    };
    await using first = await world.startLocal({ options: { nodeTimes, host: { ports: { clock } } } });
    await using second = await world.startLocal({ options: { nodeTimes } });
    const token = await world.token("ada");
    const clients = [
      await world.client(token, first.url).initialize(),
      await world.client(token, second.url).initialize(),
    ];
    const owners = await Promise.all(clients.map(ownerOf));
    const until = performance.now() + nodeTimes.deadMs * 1.5;
    for (let round = 0; performance.now() < until; round += 1)
      for (const [index, client] of clients.entries())
        for (const { url } of [first, second])
          expect(await call(client, `${round} ${index} ${url}`, url)).toMatch(/^done/);
    expect(await Promise.all(clients.map(ownerOf))).toEqual(owners);
    expect([first, second].map(({ gateway }) => gateway.cluster?.owners.takeovers)).toEqual([0, 0]);
    expect(new Set(world.server.counts.values())).toEqual(new Set([1]));
  });

  test("shares people's limits with the other nodes", async () => {
    const config = { limits: { requestsPerSecond: 1, burst: 20 } };
    await using first = await world.startLocal({ config, options: { nodeTimes } });
    await using second = await world.startLocal({ config, options: { nodeTimes } });
    const token = await world.token("grace");
    await expect.poll(() => first.gateway.cluster?.node.liveCount, { timeout: 5_000 }).toBe(2);
    const statuses = async (url: string): Promise<number> => {
      const client = world.client(token, url);
      const sent = Array.from({ length: 30 }, () => client.post("tools/list"));
      return (await Promise.all(sent)).filter(({ body }) => body["result"] !== undefined).length;
    };
    const served = [await statuses(first.url), await statuses(second.url)];
    for (const count of served) {
      expect(count).toBeGreaterThanOrEqual(8);
      expect(count).toBeLessThanOrEqual(16);
    }
  });
});
