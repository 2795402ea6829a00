import { expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { gatewayIn } from "../support/gateway-clients.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {
    elicitation: { form: {} },
    extensions: { "io.modelcontextprotocol/tasks": {} },
  },
};
const COUNT = 500;

/** Numbers that look random and are the same in every run. */
function createRandom(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

interface Answer {
  readonly status: number;
  readonly session: string | undefined;
  readonly message: JsonObject | undefined;
}

const resultOf = ({ message }: Answer): JsonObject => (message?.["result"] ?? {}) as JsonObject;
const codeOf = ({ message }: Answer): unknown => ((message?.["error"] ?? {}) as JsonObject)["code"];

test("500 random operations with other clients' sessions, tasks, cursors and states are refused like unknown ones", async () => {
  await using sandbox = await createSandbox();
  const servers = {
    asks: stdioServer("asking-server.mjs", ["--era", "legacy"]),
    work: stdioServer("task-server.mjs"),
  };
  const gateway = await gatewayIn(sandbox, { servers, offer: { limits: { requests: 64 } } });
  const { url, token } = await gateway.listen({ port: 0 });
  const send = async (path: string, body: JsonObject, headers: Record<string, string>): Promise<Answer> => {
    const response = await fetch(new URL(path, url), {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
    });
    const text = await response.text();
    const session = response.headers.get("mcp-session-id") ?? undefined;
    const isJson = text.startsWith("{");
    return {
      status: response.status,
      session,
      message: isJson ? (JSON.parse(text) as JsonObject) : undefined,
    };
  };
  const modern = (path: string, method: string, params: JsonObject): Promise<Answer> => {
    const { name, taskId } = params;
    const named = name ?? taskId;
    return send(
      path,
      { method, params: { ...params, _meta: META } },
      {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        ...(typeof named === "string" && { "mcp-name": named }),
      },
    );
  };
  const open = async (path: string): Promise<string> => {
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "a", version: "1" },
    };
    const { session = "" } = await send(path, { method: "initialize", params }, {});
    return session;
  };

  // What the clients of /mcp own. All other endpoints are other clients.
  const session = await open("/mcp");
  const asked = await modern("/mcp", "tools/call", { name: "asks_form", arguments: {} });
  const { requestState } = resultOf(asked);
  const created = await modern("/mcp", "tools/call", { name: "work_endless", arguments: {} });
  const { taskId } = resultOf(created) as { readonly taskId: string };
  expect([session, requestState, taskId].map((text) => typeof text)).toEqual(["string", "string", "string"]);

  const random = createRandom(7);
  const change = (text: string): string => {
    const at = random(text.length);
    return random(2) === 0
      ? text
      : `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;
  };
  const foreign = (): string => ["/mcp/s/asks", "/mcp/s/work"][random(2)] ?? "";
  const operations: readonly (() => Promise<unknown>)[] = [
    async () => (await send(foreign(), { method: "ping" }, { "mcp-session-id": change(session) })).status,
    async () => {
      const answer = await modern("/mcp/s/asks", "tools/call", {
        name: "form",
        arguments: {},
        inputResponses: {},
        requestState: change(String(requestState)),
      });
      return codeOf(answer);
    },
    async () => {
      const method = ["tasks/get", "tasks/cancel", "tasks/update"][random(3)] ?? "";
      const more = method === "tasks/update" ? { inputResponses: {} } : {};
      const answer = await modern(foreign(), method, { taskId: change(taskId), ...more });
      return codeOf(answer);
    },
    async () => {
      const cursor = `pb1.${Buffer.from(change("asks_form")).toString("base64url")}`;
      const answer = await modern("/mcp/s/work", "tools/list", { cursor });
      return codeOf(answer);
    },
  ];
  const expected = [404, -32602, -32602, -32602];
  const results: [number, unknown][] = [];
  for (let count = 0; count < COUNT; count += 1) {
    const which = random(operations.length);
    results.push([which, await operations[which]?.()]);
  }
  expect(results.filter(([which, got]) => got !== expected[which])).toEqual([]);
  // The owner's own things still work.
  expect((await send("/mcp", { method: "ping" }, { "mcp-session-id": session })).status).toBe(200);
  const own = await modern("/mcp", "tasks/get", { taskId });
  expect(own.message?.["result"]).toMatchObject({ status: "working" });
  await gateway.close();
});
