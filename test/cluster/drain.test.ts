import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { noPostgres } from "../support/postgres.ts";
import { stdioServer } from "../support/test-servers.ts";
import { type ClusterWorld, createClusterWorld, textOf } from "./cluster-world.ts";
import type { LegacyClient } from "./legacy-client.ts";

const FAST = { cluster: { listen: "127.0.0.1:0", drainWaitMs: 100, drainCallsMs: 10_000 } };

describe.skipIf(noPostgres !== undefined)("a node that drains", () => {
  let world: ClusterWorld;
  beforeAll(async () => {
    world = await createClusterWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());
  afterEach(() => world.server.forget());

  const call = async (client: LegacyClient, name: string, id: string, url?: string): Promise<string> =>
    textOf((await client.post("tools/call", { name: `counting_${name}`, arguments: { id } }, url)).body);

  test("hands each session over while its calls continue, and no request fails", async () => {
    await using first = await world.startLocal({ config: FAST });
    const token = await world.token("ada");
    const clients = await Promise.all(Array.from({ length: 5 }, () => world.client(token).initialize()));
    const [busy] = clients;
    expect(await call(clients[1] as LegacyClient, "add", "before")).toBe("done before");
    const waiting = call(busy as LegacyClient, "wait", "long", first.url);
    await expect.poll(() => world.server.counts.get("long"), { timeout: 10_000 }).toBe(1);
    await using second = await world.startLocal({ config: FAST });
    const draining = first.gateway.drain();
    await expect
      .poll(async () => (await world.store.sessions.get(busy?.session ?? ""))?.owner, { timeout: 10_000 })
      .toBe(second.gateway.cluster?.node.id);
    for (const [index, client] of clients.entries())
      expect(await call(client, "add", `during${index}`, second.url)).toBe(`done during${index}`);
    world.server.finish();
    expect(await waiting).toBe("done long");
    await draining;
    await first[Symbol.asyncDispose]();
    for (const [index, client] of clients.entries())
      expect(await call(client, "add", `after${index}`, second.url)).toBe(`done after${index}`);
    expect(new Set(world.server.counts.values())).toEqual(new Set([1]));
    expect(second.gateway.cluster?.owners.takeovers).toBe(0);
  });

  test("gets clients' answers to its calls' requests through the new owner", async () => {
    await using first = await world.startLocal({ config: FAST });
    const client = await world.client(await world.token("ada"), first.url).initialize({ elicitation: {} });
    const asking = await client.open(
      {
        jsonrpc: "2.0",
        id: "q",
        method: "tools/call",
        params: { name: "counting_ask", arguments: { id: "why" } },
      },
      first.url,
    );
    await using second = await world.startLocal({ config: FAST });
    let draining: Promise<void> | undefined;
    let text = "";
    for await (const piece of asking.body ?? []) {
      text += new TextDecoder().decode(piece as Uint8Array);
      const asked = /^data: (\{.*"elicitation\/create".*\})$/m.exec(text)?.[1];
      if (asked === undefined || draining !== undefined) continue;
      draining = first.gateway.drain();
      await expect
        .poll(async () => (await world.store.sessions.get(client.session ?? ""))?.owner, { timeout: 10_000 })
        .toBe(second.gateway.cluster?.node.id);
      const { id } = JSON.parse(asked) as { id: string };
      const result = { action: "accept", content: { word: "because" } };
      expect((await client.send({ jsonrpc: "2.0", id, result }, second.url)).status).toBe(202);
    }
    expect(text).toContain("because");
    await draining;
  });

  test("ends a person's programs before another node starts them", async () => {
    const config = { ...FAST, servers: { tools: { ...stdioServer("raw-server.mjs") } } };
    await using first = await world.startLocal({ config });
    const token = await world.token("grace");
    const client = await world.client(token, first.url).initialize();
    const pid = async (url: string): Promise<string> =>
      textOf((await client.post("tools/call", { name: "tools_pid", arguments: {} }, url)).body);
    const before = await pid(first.url);
    await using second = await world.startLocal({ config });
    expect(await pid(second.url)).toBe(before);
    await first.gateway.drain();
    expect(() => process.kill(Number(before), 0)).toThrow();
    const after = await pid(second.url);
    expect(Number(after)).toBeGreaterThan(0);
    expect(after).not.toBe(before);
  });
});
