import { describe, expect, test } from "vitest";
import { noPostgres } from "../support/postgres.ts";
import { createClusterWorld, textOf } from "./cluster-world.ts";
import { startLoad } from "./load.ts";

describe.skipIf(noPostgres !== undefined)("nodes in separate processes", () => {
  test("when one is killed under load, no repeatable request is lost, none is executed twice, and no session gets 404", async () => {
    await using world = await createClusterWorld();
    const nodes = [await world.startProcess(), await world.startProcess()];
    const tokens = [await world.token("ada"), await world.token("grace")];
    const load = await startLoad(world, { tokens, legacy: 4, modern: 2 });
    for (let round = 0; round < 2; round += 1) {
      await load.answers(30);
      const [killed] = nodes.splice(0, 1);
      killed?.kill("SIGKILL");
      const began = performance.now();
      await load.answers(30);
      expect(performance.now() - began).toBeLessThan(10_000);
      await killed?.[Symbol.asyncDispose]();
      nodes.push(await world.startProcess());
    }
    const { lost, doubled, notFound, answered } = await load.stop();
    expect({ lost, doubled, notFound }).toEqual({ lost: [], doubled: [], notFound: 0 });
    expect(answered).toBeGreaterThan(100);
    await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
  });

  test("one that is asked to end drains, so its sessions need no takeover", async () => {
    const config = { cluster: { listen: "127.0.0.1:0", drainWaitMs: 300, drainCallsMs: 5_000 } };
    await using world = await createClusterWorld(config);
    const first = await world.startProcess();
    const client = await world.client(await world.token("ada")).initialize();
    const second = await world.startProcess();
    const call = client.post("tools/call", { name: "counting_wait", arguments: { id: "slow" } }, first.url);
    await expect.poll(() => world.server.counts.get("slow"), { timeout: 10_000 }).toBe(1);
    first.kill("SIGTERM");
    const ready = async (): Promise<number> => (await fetch(`http://${first.internal}/readyz`)).status;
    await expect.poll(ready, { timeout: 5_000 }).toBe(503);
    await expect.poll(async () => (await world.store.sessions.get(client.session ?? ""))?.epoch).toBe(2);
    expect((await client.post("ping", {}, second.url)).status).toBe(200);
    world.server.finish();
    expect(textOf((await call).body)).toBe("done slow");
    expect(await first.cli.ended).toMatchObject({ code: 130, signal: undefined });
    await second[Symbol.asyncDispose]();
  });
});
