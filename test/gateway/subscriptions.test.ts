import { afterAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { eventually } from "../flow/host-in.ts";
import { connectToGateway, gatewayIn, PAIRS, upstreamsOf } from "../support/gateway-clients.ts";
import { openRawClient } from "../support/raw-gateway-client.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const upstreams = upstreamsOf("notes-server.mjs");
afterAll(() => upstreams.close());

describe.each(PAIRS)(
  "subscriptions: $client client over $downstream, $server server over $upstream",
  ({ downstream, client: era, upstream, server }) => {
    test("an update reaches the subscriber and no other client, until it unsubscribes", async () => {
      await using sandbox = await createSandbox();
      const servers = { notes: await upstreams.entry(upstream, server) };
      await using gateway = await gatewayIn(sandbox, { servers });
      const uri = "notes+note://first";
      const updates: string[] = [];
      let heard = (): void => {};
      const prepare: NonNullable<Parameters<typeof connectToGateway>[3]>["prepare"] = (client) =>
        client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
          updates.push(params.uri);
          heard();
        });
      await using subscriber = await connectToGateway(gateway, downstream, era, { prepare });
      await using other = await connectToGateway(gateway, downstream, era);
      const write = (text: string) =>
        other.client.callTool({ name: "notes_write", arguments: { topic: "first", text } });

      const listening =
        era === "modern" ? await subscriber.client.listen({ resourceSubscriptions: [uri] }) : undefined;
      if (listening === undefined) await subscriber.client.subscribeResource({ uri });
      else expect(listening.honoredFilter).toEqual({ resourceSubscriptions: [uri] });
      const updated = new Promise<void>((resolve) => {
        heard = resolve;
      });
      await write("one");
      await updated;
      expect(updates).toEqual([uri]);
      const others = other.received.filter((message) => "method" in message);
      expect(others.map((message) => "method" in message && message.method)).not.toContain(
        "notifications/resources/updated",
      );

      if (listening === undefined) await subscriber.client.unsubscribeResource({ uri });
      else await listening.close();
      await write("two");
      await subscriber.client.readResource({ uri }); // anything sent before has arrived
      expect(updates).toEqual([uri]);
    });
  },
);

test.each(["legacy", "modern"] as const)("an update keeps its _meta for a %s client", async (era) => {
  await using sandbox = await createSandbox();
  const servers = {
    notes: stdioServer("notes-server.mjs", ["--era", era === "legacy" ? "modern" : "legacy"]),
  };
  await using gateway = await gatewayIn(sandbox, { servers });
  await using client = await openRawClient(gateway, "stdio", era);
  const uri = "notes+note://first";
  if (era === "legacy") await client.request("resources/subscribe", { uri });
  else void client.request("subscriptions/listen", { notifications: { resourceSubscriptions: [uri] } });
  const isAcknowledged = ({ method }: JsonObject) => method === "notifications/subscriptions/acknowledged";
  if (era === "modern") await eventually(() => expect(client.notices.some(isAcknowledged)).toBe(true));
  await client.request("tools/call", { name: "notes_write", arguments: { topic: "first", text: "new" } });
  const own = era === "modern" && { "io.modelcontextprotocol/subscriptionId": 2 };
  const meta = { "example.com/topic": "first", ...own };
  await eventually(() =>
    expect(client.notices).toContainEqual(
      expect.objectContaining({ method: "notifications/resources/updated", params: { uri, _meta: meta } }),
    ),
  );
});

test("a client without a session cannot subscribe", async () => {
  await using sandbox = await createSandbox();
  const servers = { notes: stdioServer("notes-server.mjs") };
  await using gateway = await gatewayIn(sandbox, { servers });
  const { url, token } = await gateway.listen({ port: 0 });
  const params = { uri: "notes+note://first" };
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "resources/subscribe", params }),
  });
  expect(await response.json()).toMatchObject({ error: { code: -32601 } });
});

test("streams that were closed leave no listeners behind", async () => {
  await using sandbox = await createSandbox();
  await using gateway = await gatewayIn(sandbox, { servers: { notes: stdioServer("notes-server.mjs") } });
  await using connected = await connectToGateway(gateway, "http", "modern");
  const warnings: string[] = [];
  const warned = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", warned);
  for (let turn = 0; turn < 20; turn += 1) {
    const listening = await connected.client.listen({ toolsListChanged: true });
    await listening.close();
  }
  await new Promise(setImmediate); // warnings are emitted later
  process.off("warning", warned);
  expect(warnings).toEqual([]);
});

test("streams beyond the limit are refused, and so is a filter that is too long", async () => {
  await using sandbox = await createSandbox();
  await using gateway = await gatewayIn(sandbox, {
    servers: { notes: stdioServer("notes-server.mjs") },
    offer: { limits: { streams: 1 } },
  });
  await using connected = await connectToGateway(gateway, "http", "modern");
  const { client } = connected;
  const long = Array.from({ length: 300 }, (_, index) => `notes+note://${index}${"x".repeat(1_000)}`);
  await expect(client.listen({ resourceSubscriptions: long })).rejects.toThrow("longer than 262144");
  const listening = await client.listen({ toolsListChanged: true });
  await expect(client.listen({ toolsListChanged: true })).rejects.toThrow("Too many streams");
  await listening.close();
});

test.each(["stdio", "http"] as const)(
  "1.8 a stream over %s that the gateway ends gets its result with the client's own id",
  async (downstream) => {
    await using sandbox = await createSandbox();
    const servers = { notes: stdioServer("notes-server.mjs") };
    const gateway = await gatewayIn(sandbox, { servers });
    await using client = await openRawClient(gateway, downstream, "modern");
    const ended = client.request("subscriptions/listen", { notifications: { toolsListChanged: true } });
    await eventually(() => expect(client.notices).toHaveLength(1));
    await gateway.close();
    const subscription = { "io.modelcontextprotocol/subscriptionId": 2 };
    expect(await ended).toMatchObject({ id: 2, result: { resultType: "complete", _meta: subscription } });
    expect(client.notices[0]).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { toolsListChanged: true }, _meta: subscription },
    });
    const cancelled = { method: "notifications/cancelled", params: { requestId: 2 } };
    expect(client.notices.slice(1)).toMatchObject(downstream === "stdio" ? [cancelled] : []);
  },
);
