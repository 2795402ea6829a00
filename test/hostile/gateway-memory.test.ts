import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { gatewayIn } from "../support/gateway-clients.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const MB = 1024 * 1024;
const META = "io.modelcontextprotocol/";
const HUGE: Readonly<Record<string, object>> = {
  "one long text": { experimental: { x: "x".repeat(3 * MB) } },
  "many members": Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`m${at}`, {}])),
  "many small values": { experimental: { x: Array.from({ length: 5_000 }, () => 1) } },
};

async function serve(sandbox: Sandbox) {
  const servers = { notes: stdioServer("notes-server.mjs", ["--era", "legacy"]) };
  const gateway = await gatewayIn(sandbox, { servers });
  const { url, token } = await gateway.listen({ port: 0 });
  const post = async (message: object, headers: Record<string, string> = {}) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
    });
    const session = response.headers.get("mcp-session-id") ?? "";
    return { session, body: JSON.parse(await response.text()) as object };
  };
  const initialize = (more: object = {}) => {
    const clientInfo = { name: "t", version: "1" };
    return post({
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo, ...more },
    });
  };
  return { post, initialize, [Symbol.asyncDispose]: () => gateway.close() };
}

test.each(Object.keys(HUGE))("a client that announces too much is refused: %s", async (kind) => {
  await using sandbox = await createSandbox();
  await using gateway = await serve(sandbox);
  const error = { code: -32602, message: "The capabilities are longer than 4096 characters." };
  const { session, body } = await gateway.initialize({ capabilities: HUGE[kind] });
  expect({ session, body }).toMatchObject({ session: "", body: { error } });
  const meta = { [`${META}protocolVersion`]: "2026-07-28", [`${META}clientCapabilities`]: HUGE[kind] };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
  const modern = await gateway.post({ method: "tools/list", params: { _meta: meta } }, headers);
  expect(modern.body).toMatchObject({ error });
});

test("an address of more than 8 KB is refused wherever a client may send one", async () => {
  await using sandbox = await createSandbox();
  await using gateway = await serve(sandbox);
  const { session } = await gateway.initialize();
  const headers = { "mcp-session-id": session };
  const uri = `notes+note://${"x".repeat(8_192)}`;
  for (const [method, params] of [
    ["resources/read", { uri }],
    ["resources/subscribe", { uri }],
    ["completion/complete", { ref: { type: "ref/resource", uri }, argument: { name: "a", value: "b" } }],
  ] as const) {
    const { body } = await gateway.post({ method, params }, headers);
    expect(body, method).toMatchObject({ error: { message: "The URI is longer than 8192 characters." } });
  }
});

test("sessions and subscriptions do not keep the messages that created them", async () => {
  await using sandbox = await createSandbox();
  await using gateway = await serve(sandbox);
  const long = (at: number): string => `${at}${"x".repeat(1.5 * MB)}`;
  const subscribe = async (at: number): Promise<void> => {
    const { session } = await gateway.initialize({ clientInfo: { name: long(at), version: long(at) } });
    const params = { uri: "notes+note://first", _meta: { junk: long(at) } };
    const subscribed = await gateway.post(
      { method: "resources/subscribe", params },
      { "mcp-session-id": session },
    );
    expect(subscribed.body).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  };
  await subscribe(0);
  const before = usedMemory();
  for (let at = 1; at <= 12; at += 1) await subscribe(at);
  expect(usedMemory() - before).toBeLessThan(12 * MB); // each would keep 4.5 MB
});

function usedMemory(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}
