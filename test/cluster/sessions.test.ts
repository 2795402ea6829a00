import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { noPostgres } from "../support/postgres.ts";
import {
  type ClusterWorld,
  createClusterWorld,
  type LocalNode,
  type NodeOptions,
  textOf,
} from "./cluster-world.ts";
import type { LegacyClient } from "./legacy-client.ts";

const call = async (client: LegacyClient, id: string, url?: string): Promise<string> =>
  textOf((await client.post("tools/call", { name: "counting_add", arguments: { id } }, url)).body);

let world: ClusterWorld;

async function twoNodes(options: NodeOptions["options"] = {}): Promise<[LocalNode, LocalNode]> {
  return [await world.startLocal({ options }), await world.startLocal({ options })];
}

const together = (...nodes: readonly AsyncDisposable[]): AsyncDisposable => ({
  async [Symbol.asyncDispose]() {
    for (const node of nodes) await node[Symbol.asyncDispose]();
  },
});

describe.skipIf(noPostgres !== undefined)("a session with several nodes", () => {
  beforeAll(async () => {
    world = await createClusterWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());
  afterEach(() => world.server.forget());

  test("is served by every node, even if another node owns it", async () => {
    const [first, second] = await twoNodes();
    await using _ = together(first, second);
    const client = await world.client(await world.token("ada")).initialize();
    for (const [index, { url }] of [first, second, first, second].entries())
      expect(await call(client, `c${index}`, url)).toBe(`done c${index}`);
    expect([...world.server.counts.values()]).toEqual([1, 1, 1, 1]);
    const row = await world.store.sessions.get(client.session ?? "");
    expect([first, second].map(({ gateway }) => gateway.cluster?.node.id)).toContain(row?.owner);
    expect([first, second].map(({ gateway }) => gateway.cluster?.router.forwards).toSorted()).toEqual([0, 2]);
  });

  test("continues on another node when its node has ended, with its subscriptions and log level", async () => {
    const [first, second] = await twoNodes();
    await using _ = together(first, second);
    const client = await world.client(await world.token("ada")).initialize();
    await client.post("logging/setLevel", { level: "warning" });
    const owner = (await world.store.sessions.get(client.session ?? ""))?.owner;
    const [ending, other] = owner === first.gateway.cluster?.node.id ? [first, second] : [second, first];
    await ending[Symbol.asyncDispose]();
    expect(await call(client, "after", other.url)).toBe("done after");
    expect(await world.store.sessions.get(client.session ?? "")).toMatchObject({
      owner: other.gateway.cluster?.node.id,
      epoch: 2,
      state: { logLevel: "warning" },
    });
    expect(other.gateway.cluster?.owners.takeovers).toBe(1);
  });

  test("is taken over by only one node if several try", async () => {
    const nodes = [...(await twoNodes()), await world.startLocal()];
    await using _ = together(...nodes);
    const client = await world.client(await world.token("ada")).initialize();
    const owner = (await world.store.sessions.get(client.session ?? ""))?.owner;
    const ending = nodes.find(({ gateway }) => gateway.cluster?.node.id === owner);
    const others = nodes.filter((node) => node !== ending);
    await ending?.[Symbol.asyncDispose]();
    const said = await Promise.all(
      Array.from({ length: 20 }, (_, index) => call(client, `n${index}`, others[index % 2]?.url)),
    );
    expect(said).toEqual(Array.from({ length: 20 }, (_, index) => `done n${index}`));
    expect(new Set(world.server.counts.values())).toEqual(new Set([1]));
    expect((await world.store.sessions.get(client.session ?? ""))?.epoch).toBe(2);
    expect(others.map(({ gateway }) => gateway.cluster?.owners.takeovers).toSorted()).toEqual([0, 1]);
  });

  test("is dropped by a node that another one has fenced, which then joins again", async () => {
    const [first, second] = await twoNodes({ nodeTimes: { heartbeatMs: 200 } });
    await using _ = together(first, second);
    const client = await world.client(await world.token("ada"), first.url).initialize();
    const { node } = first.gateway.cluster ?? {};
    expect(await world.store.nodes.fence(node?.id ?? "", node?.epoch ?? 0)).toBe(true);
    await expect.poll(() => node?.epoch, { timeout: 5_000 }).toBe(3);
    expect(await call(client, "fenced", second.url)).toBe("done fenced");
    expect(await call(client, "back", first.url)).toBe("done back");
    expect((await world.store.sessions.get(client.session ?? ""))?.owner).toBe(
      second.gateway.cluster?.node.id,
    );
  });

  test("is unknown to other people, on every node, and forged ids are not looked up", async () => {
    const [first, second] = await twoNodes();
    await using _ = together(first, second);
    const client = await world.client(await world.token("ada"), first.url).initialize();
    const other = world.client(await world.token("grace"));
    for (const session of [client.session, "pb1.AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA", "x"]) {
      other.session = session;
      for (const { url } of [first, second]) expect((await other.post("ping", {}, url)).status).toBe(404);
    }
    await fetch(second.url, { method: "DELETE", headers: client.headers });
    for (const { url } of [first, second]) expect((await client.post("ping", {}, url)).status).toBe(404);
  });

  test("has its stream and the server's requests on every node", async () => {
    const [first, second] = await twoNodes();
    await using _ = together(first, second);
    const client = await world.client(await world.token("ada"), first.url).initialize({ elicitation: {} });
    const asking = await client.open(
      {
        jsonrpc: "2.0",
        id: "q",
        method: "tools/call",
        params: { name: "counting_ask", arguments: { id: "why" } },
      },
      second.url,
    );
    let text = "";
    for await (const piece of asking.body ?? []) {
      text += new TextDecoder().decode(piece as Uint8Array);
      const asked = /^data: (\{.*"elicitation\/create".*\})$/m.exec(text)?.[1];
      if (asked === undefined || text.includes('"id":"q"')) continue;
      const { id } = JSON.parse(asked) as { id: string };
      const result = { action: "accept", content: { word: "because" } };
      const url = client.session === "" ? first.url : second.url;
      expect((await client.send({ jsonrpc: "2.0", id, result }, url)).status).toBe(202);
    }
    expect(text).toContain("because");
  });
});
