import { describe, expect, onTestFinished, test } from "vitest";
import { findPerson } from "../../src/access/index.ts";
import { LONGEST_MS, report, tenthOf } from "../durability/counts.ts";
import { hostIn } from "../flow/host-in.ts";
import { browse, startOauthServer } from "../support/oauth-server.ts";
import { noPostgres } from "../support/postgres.ts";
import { createSandbox } from "../support/sandbox.ts";
import { createClusterWorld } from "./cluster-world.ts";

describe.skipIf(noPostgres !== undefined)("a person's sign-in on three nodes", () => {
  test(
    "is renewed only once, even if several nodes need it at the same time",
    async () => {
      await using upstream = await startOauthServer();
      const servers = { notes: { type: "http" as const, url: upstream.url } };
      await using world = await createClusterWorld({ servers });
      const token = await world.token("ada");
      const { id } = await findPerson(world.store.people, "ada");
      await using sandbox = await createSandbox();
      {
        await using host = await hostIn(sandbox, { servers, stores: world.store.stores });
        const ada = await host.as(id);
        await ada.signIns.login("notes", { browser: false, onSignIn: (url) => void browse(url) });
      }
      const nodes = [await world.startLocal(), await world.startLocal(), await world.startLocal()];
      const clients = await Promise.all(nodes.map(({ url }) => world.client(token, url).initialize()));
      const tools = async (index: number): Promise<number> => {
        const { body } = (await clients[index]?.post("tools/list")) ?? {};
        return (body?.["result"] as { tools?: readonly unknown[] } | undefined)?.tools?.length ?? 0;
      };
      const read = async (index: number): Promise<unknown> => {
        const { body } = (await clients[index]?.post("resources/list")) ?? {};
        return body?.["error"];
      };
      for (const index of nodes.keys()) expect(await tools(index)).toBeGreaterThan(0);
      const list = (await clients[0]?.post("tools/list"))?.body["result"] as { tools: { name: string }[] };
      const name = list.tools.find((tool) => tool.name.startsWith("notes_"))?.name ?? "";
      const rounds = tenthOf(100);
      let passed = 0;
      onTestFinished(() =>
        report(
          "renewals of a sign-in that three gateways need at once: only one for each token",
          passed,
          rounds,
        ),
      );
      for (let round = 0; round < rounds; round += 1) {
        await upstream.control("expire");
        const { grants } = await upstream.control();
        await Promise.all(clients.map((client) => client.post("tools/call", { name, arguments: {} })));
        const { grants: after, refusals } = await upstream.control();
        expect(refusals).toEqual({});
        expect((after["refresh_token"] ?? 0) - (grants["refresh_token"] ?? 0)).toBe(1);
        expect(await read(0)).toBeUndefined();
        passed += 1;
      }
    },
    LONGEST_MS,
  );
});
