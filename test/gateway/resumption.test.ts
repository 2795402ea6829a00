import { join } from "node:path";
import { expect, test } from "vitest";
import type { Gateway } from "../../src/gateway.ts";
import { eventuallyReads } from "../flow/host-in.ts";
import { gatewayIn } from "../support/gateway-clients.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

interface Session {
  post(message: object, signal?: AbortSignal): Promise<Response>;
  resume(lastEventId: string): Promise<Response>;
}

async function openSession(gateway: Gateway, protocolVersion = "2025-11-25"): Promise<Session> {
  const { url, token } = await gateway.listen({ port: 0 });
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
  };
  const post = (message: object, signal?: AbortSignal): Promise<Response> =>
    fetch(url, {
      method: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      signal: signal ?? null,
    });
  const capabilities = { elicitation: {} };
  const params = { protocolVersion, capabilities, clientInfo: { name: "x", version: "1" } };
  const greeting = await post({ id: 1, method: "initialize", params });
  headers["mcp-session-id"] = greeting.headers.get("mcp-session-id") ?? "";
  await greeting.text();
  return {
    post,
    resume: (lastEventId) => fetch(url, { headers: { ...headers, "last-event-id": lastEventId } }),
  };
}

interface Event {
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads events until one satisfies the condition, then drops the connection. */
async function readUntil(
  response: Response,
  isLast: (event: Event) => boolean = () => false,
): Promise<Event[]> {
  const events: Event[] = [];
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk as Uint8Array);
    for (const block of text.split("\n\n").slice(0, -1)) {
      text = text.slice(block.length + 2);
      const data = /^data: ?(.*)$/m.exec(block)?.[1];
      if (data === undefined) continue;
      const event = { id: /^id: (.*)$/m.exec(block)?.[1], data };
      events.push(event);
      if (isLast(event)) return events; // which drops the connection
    }
  }
  return events;
}

const call = (id: number, name: string, args: object, meta: object = {}) => ({
  id,
  method: "tools/call",
  params: { name, arguments: args, _meta: meta },
});

test("1.14 a client that lost its stream gets the missed events and the response", async () => {
  await using sandbox = await createSandbox();
  await using gateway = await gatewayIn(sandbox, {
    servers: { asks: stdioServer("asking-server.mjs", ["--era", "legacy"]) },
  });
  const session = await openSession(gateway);
  const response = await session.post(call(2, "asks_form", {}));
  const seen = await readUntil(response, ({ data }) => data.includes("elicitation/create"));
  expect(seen.map(({ id, data }) => [id, data === ""])).toEqual([
    ["1.0", true],
    ["1.1", false],
  ]);
  const { id } = JSON.parse(seen[1]?.data ?? "") as { id: string };
  await session.post({ id, result: { action: "decline" } });
  const later = await readUntil(await session.resume("1.1"));
  expect(later.map((event) => event.id)).toEqual(["1.2"]);
  expect(JSON.parse(later[0]?.data ?? "")).toMatchObject({ id: 2, result: { content: [{ type: "text" }] } });
  // The whole stream again, from the empty event on, and nothing from other streams.
  expect((await readUntil(await session.resume("1.0"))).map((event) => event.id)).toEqual(["1.1", "1.2"]);
});

test("2.8 a question belongs to a session's latest call, because the client may have dropped earlier ones", async () => {
  await using sandbox = await createSandbox();
  await using gateway = await gatewayIn(sandbox, {
    servers: { asks: stdioServer("asking-server.mjs", ["--era", "legacy"]) },
  });
  const session = await openSession(gateway);
  const isQuestion = ({ data }: Event): boolean => data.includes("elicitation/create");
  for (const id of [2, 3, 4]) {
    const seen = await readUntil(await session.post(call(id, "asks_form", {})), isQuestion); // then drops it
    expect(seen.filter(isQuestion)).toHaveLength(1);
  }
});

test("1.14 the answer of a dropped POST without events is discarded, and unknown events are refused", async () => {
  await using sandbox = await createSandbox();
  const started = join(sandbox.project, "started");
  const servers = { tools: stdioServer("tools-server.mjs", [], { START_FILE: started }) };
  await using gateway = await gatewayIn(sandbox, { servers });
  const session = await openSession(gateway);
  const abort = new AbortController();
  const dropped = session.post(call(2, "tools_slow", { ms: 300 }), abort.signal);
  await eventuallyReads(started);
  abort.abort();
  await expect(dropped).rejects.toThrow();
  // A longer call ends later, so the dropped one has ended.
  await (await session.post(call(3, "tools_slow", { ms: 600 }))).text();
  expect((await session.resume("1.0")).status).toBe(400);
  for (const id of ["9.9", "nonsense"]) expect((await session.resume(id)).status).toBe(400);
});

test("1.14 a client of an earlier version gets no empty event", async () => {
  await using sandbox = await createSandbox();
  await using gateway = await gatewayIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
  const session = await openSession(gateway, "2025-06-18");
  const response = await session.post(call(2, "tools_progress", { steps: 1 }, { progressToken: "p" }));
  const events = await readUntil(response);
  expect(events.map(({ id }) => id)).toEqual(["1.0", "1.1"]);
  expect(events.every(({ data }) => data !== "")).toBe(true);
});
