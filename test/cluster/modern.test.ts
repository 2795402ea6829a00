import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { noPostgres } from "../support/postgres.ts";
import { type ClusterWorld, createClusterWorld, type LocalNode } from "./cluster-world.ts";

const META = "io.modelcontextprotocol/";

describe.skipIf(noPostgres !== undefined)("a modern client with several nodes", () => {
  let world: ClusterWorld;
  let nodes: readonly [LocalNode, LocalNode];
  let token: string;
  beforeAll(async () => {
    world = await createClusterWorld();
    nodes = [await world.startLocal(), await world.startLocal()];
    token = await world.token("ada");
    for (const { gateway } of nodes) await gateway.cluster?.node.list(); // both know each other
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const send = async (node: LocalNode, params: JsonObject): Promise<JsonObject> => {
    const response = await fetch(node.url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": String(params["name"]),
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          ...params,
          _meta: {
            [`${META}protocolVersion`]: "2026-07-28",
            [`${META}clientCapabilities`]: { elicitation: { form: {} } },
          },
        },
      }),
    });
    const text = await response.text();
    const data = text.startsWith("{") ? text : [...text.matchAll(/^data: (\{.*\})$/gm)].at(-1)?.[1];
    return JSON.parse(data ?? "{}") as JsonObject;
  };
  const ask = (id: string): JsonObject => ({ name: "counting_ask", arguments: { id } });
  const answers = { "request-1": { action: "accept", content: { word: "because" } } };

  test("is answered by every node, without a session", async () => {
    const client = new Client(
      { name: "test", version: "1" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(world.url), { requestInit }));
    for (let index = 0; index < 6; index += 1)
      expect(await client.callTool({ name: "counting_add", arguments: { id: `m${index}` } })).toMatchObject({
        content: [{ text: `done m${index}` }],
      });
    await client.close();
    for (const { gateway } of nodes) expect(gateway.cluster?.router.forwards).toBe(0);
  });

  test("sends its answers to a call that waits on another node", async () => {
    const { result } = (await send(nodes[0], ask("elsewhere"))) as { result: JsonObject };
    expect(result).toMatchObject({ resultType: "input_required" });
    const retry = {
      ...ask("elsewhere"),
      requestState: result["requestState"] ?? "",
      inputResponses: answers,
    };
    expect(JSON.stringify(await send(nodes[1], retry))).toContain("because");
    expect(world.server.counts.get("elsewhere")).toBe(1);
  });

  test("learns that its call was interrupted when the call's node has ended", async () => {
    const third = await world.startLocal();
    await expect
      .poll(() => nodes[0].gateway.cluster?.node.list().then((all) => all.length), { timeout: 10_000 })
      .toBe(3);
    const { result } = (await send(third, ask("gone"))) as { result: JsonObject };
    const retry = { ...ask("gone"), requestState: result["requestState"] ?? "", inputResponses: answers };
    await third[Symbol.asyncDispose]();
    expect(await send(nodes[0], retry)).toMatchObject({ error: { data: { reason: "interrupted" } } });
    expect(world.server.counts.get("gone")).toBe(1);
  });

  test("cannot use a state that was changed to name another node", async () => {
    const { result } = (await send(nodes[0], ask("changed"))) as { result: JsonObject };
    const state = String(result["requestState"]);
    const [first, second] = nodes.map(({ gateway }) => gateway.cluster?.node.id ?? "");
    expect(state).toContain(first);
    const changed = {
      ...ask("changed"),
      requestState: state.replace(first ?? "", second ?? ""),
      inputResponses: answers,
    };
    for (const node of nodes) expect(await send(node, changed)).toMatchObject({ error: { code: -32602 } });
  });
});
