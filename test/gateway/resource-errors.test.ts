import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Gateway } from "../../src/gateway.ts";
import type { Downstream, Era } from "../support/gateway-clients.ts";
import { gatewayIn } from "../support/gateway-clients.ts";
import { openRawClient } from "../support/raw-gateway-client.ts";
import { outcomeOf, type RawHttp, sendJson, serveRaw } from "../support/raw-http.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const RESOURCES = { resources: { subscribe: true } };
let server: RawHttp;
beforeAll(async () => {
  server = await serveRaw({
    answer({ message }, response) {
      const { id, method, params } = message ?? {};
      if (id === undefined || method === undefined) return false;
      if (method === "initialize") {
        const { result } = outcomeOf({ method }) as { result: object };
        return sendJson(response, { jsonrpc: "2.0", id, result: { ...result, capabilities: RESOURCES } });
      }
      if (method === "resources/list")
        return sendJson(response, { jsonrpc: "2.0", id, result: { resources: [] } });
      const { uri } = (params ?? {}) as { uri?: string };
      const error = { code: -32002, message: `No ${uri}`, data: { uri, other: "x://2" } };
      return sendJson(response, { jsonrpc: "2.0", id, error });
    },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

const gatewayOf = (sandbox: Sandbox): Promise<Gateway> =>
  gatewayIn(sandbox, { servers: { raw: { type: "http", url: server.url, protocol: "legacy" } } });
const CELLS: { downstream: Downstream; era: Era }[] = (["stdio", "http"] as const).flatMap((downstream) =>
  (["legacy", "modern"] as const).map((era) => ({ downstream, era })),
);

describe.each(CELLS)("errors about resources: $era client over $downstream", ({ downstream, era }) => {
  test("name the resource by the address that the client sees", async () => {
    await using sandbox = await createSandbox();
    await using gateway = await gatewayOf(sandbox);
    await using client = await openRawClient(gateway, downstream, era);
    const error = {
      code: era === "legacy" ? -32002 : -32602,
      message: "No x://1",
      data: { uri: "raw+x://1", other: "x://2" },
    };
    expect((await client.request("resources/read", { uri: "raw+x://1" })).error).toEqual(error);
    if (era === "legacy")
      expect((await client.request("resources/subscribe", { uri: "raw+x://1" })).error).toEqual(error);
  });
});

test("errors about resources keep the server's own addresses on the endpoint of one server", async () => {
  await using sandbox = await createSandbox();
  await using gateway = await gatewayOf(sandbox);
  await using client = await openRawClient(gateway, "http", "legacy", { path: "/mcp/s/raw" });
  const { error } = await client.request("resources/read", { uri: "x://1" });
  expect(error).toMatchObject({ code: -32002, data: { uri: "x://1" } });
});
