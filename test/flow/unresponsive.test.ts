import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Host, HostError, HostEvent, ServerOptions } from "../../src/index.ts";
import { type JsonObject, MODERN_VERSION } from "../../src/model/index.ts";
import { reportTests } from "../durability/counts.ts";
import { createJumpingClock } from "../support/jumping-clock.ts";
import { outcomeOf, sendJson, serveRaw } from "../support/raw-http.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import {
  eventsOf,
  eventually,
  eventuallyReads,
  failureOf,
  hostErrorOf,
  hostIn,
  isRunning,
} from "./host-in.ts";

reportTests("unresponsive servers: replaced, or kept if only slow");

const CALL_MS = 30_000;
const PROBE_MS = 5_000;

function statesIn(events: readonly HostEvent[]): string[] {
  return events.flatMap((event) => (event.type === "server.state" ? [event.state] : []));
}

/** An entry whose process writes its id to a file before it becomes the server. */
function noting(file: string, { command, args, env }: ReturnType<typeof stdioServer>): ServerOptions {
  const script = `echo $$ > "$NOTED_IN"; exec "$@"`;
  return { command: "sh", args: ["-c", script, "sh", command, ...args], env: { ...env, NOTED_IN: file } };
}

/** The id of the process that answers now. */
async function pidOf(host: Host, server: string, file: string): Promise<number> {
  expect(await host.call(server, "echo", { text: "hello" })).toMatchObject({ text: "hello" });
  return Number(await readFile(file, "utf8"));
}

/** Calls a tool that is never answered; resolves when the call has timed out. */
async function timeOut(host: Host, server: string, jump: (ms: number) => void): Promise<void> {
  const call = hostErrorOf(host.call(server, "echo", { text: "anyone there?" }));
  jump(CALL_MS);
  const { cause } = await call;
  expect(cause).toMatchObject({ code: "REQUEST_TIMEOUT" });
}

const STOPPED =
  /^"\w+" stopped responding \(no answer to \S+ within 5000 ms\), so its connection was replaced$/;

describe.each([
  ["legacy", stdioServer("raw-server.mjs")],
  ["modern", stdioServer("tools-server.mjs", ["--era", "modern"])],
])("a %s process that no longer responds", (_, stdio) => {
  test("is replaced: a call that comes while it is probed is made on the new process", async () => {
    await using sandbox = await createSandbox();
    const file = join(sandbox.home, "pid");
    const { clock, jump } = createJumpingClock();
    await using host = await hostIn(sandbox, { servers: { stdio: noting(file, stdio) }, ports: { clock } });
    const first = await pidOf(host, "stdio", file);
    const events = eventsOf(host);
    process.kill(first, "SIGSTOP");
    await timeOut(host, "stdio", jump);
    const second = pidOf(host, "stdio", file);
    expect(host.servers()[0]?.state).toBe("connected"); // it still has time to answer
    jump(PROBE_MS);
    expect(await second).not.toBe(first);
    expect(await isRunning(first)).toBe(false);
    expect(statesIn(events)).toEqual(["reconnecting", "reconnecting", "connected"]);
  });

  test("is replaced without another call, and its state says why", async () => {
    await using sandbox = await createSandbox();
    const file = join(sandbox.home, "pid");
    const { clock, jump } = createJumpingClock();
    await using host = await hostIn(sandbox, { servers: { stdio: noting(file, stdio) }, ports: { clock } });
    const first = await pidOf(host, "stdio", file);
    const events = eventsOf(host);
    process.kill(first, "SIGSTOP");
    await timeOut(host, "stdio", jump);
    jump(PROBE_MS);
    await eventually(() => expect(statesIn(events)).toEqual(["reconnecting", "reconnecting", "connected"]));
    expect(events[0]).toMatchObject({
      attempt: 1,
      nextTry: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      errorCode: "CONNECTION_LOST",
      because: expect.stringMatching(STOPPED),
    });
    expect(await pidOf(host, "stdio", file)).not.toBe(first);
  });

  test("and continues in time is kept", async () => {
    await using sandbox = await createSandbox();
    const file = join(sandbox.home, "pid");
    const { clock, jump } = createJumpingClock();
    await using host = await hostIn(sandbox, { servers: { stdio: noting(file, stdio) }, ports: { clock } });
    const first = await pidOf(host, "stdio", file);
    const events = eventsOf(host);
    process.kill(first, "SIGSTOP");
    await timeOut(host, "stdio", jump);
    process.kill(first, "SIGCONT");
    expect(await pidOf(host, "stdio", file)).toBe(first);
    jump(PROBE_MS);
    expect(await pidOf(host, "stdio", file)).toBe(first);
    expect(events).toEqual([]);
  });

  test("fails the calls that still wait for it, and sends none of them again", async () => {
    await using sandbox = await createSandbox();
    const file = join(sandbox.home, "pid");
    const { clock, jump } = createJumpingClock();
    await using host = await hostIn(sandbox, { servers: { stdio: noting(file, stdio) }, ports: { clock } });
    const first = await pidOf(host, "stdio", file);
    process.kill(first, "SIGSTOP");
    const early = hostErrorOf(host.call("stdio", "echo", { text: "first" }));
    jump(CALL_MS / 2);
    const late = failureOf(host.call("stdio", "echo", { text: "second" }));
    jump(CALL_MS / 2);
    expect((await early).cause).toMatchObject({ code: "REQUEST_TIMEOUT" });
    jump(PROBE_MS);
    expect(await late).toMatchObject({
      code: "TOOL_CALL_FAILED",
      message: expect.stringContaining('"stdio" stopped responding'),
      hint: "The server may have run the request, so it was not sent again.",
    });
  });
});

test("a process that no longer responds is ended with everything it started", async () => {
  await using sandbox = await createSandbox();
  const { clock, jump } = createJumpingClock();
  const file = join(sandbox.home, "pid");
  const PID_FILE = join(sandbox.home, "pids.json");
  const stdio = stdioServer("raw-server.mjs", ["--behave", "grandchild,ignore-sigterm"], { PID_FILE });
  const raw = noting(file, stdio);
  await using host = await hostIn(sandbox, { servers: { raw }, ports: { clock } });
  const first = await pidOf(host, "raw", file);
  const { grandchild } = JSON.parse(await eventuallyReads(PID_FILE)) as { grandchild: number };
  process.kill(first, "SIGSTOP");
  await timeOut(host, "raw", jump);
  const second = pidOf(host, "raw", file);
  jump(PROBE_MS);
  await second;
  expect([await isRunning(first), await isRunning(grandchild)]).toEqual([false, false]);
});

test("a server that answers pings, but never this call, is kept", async () => {
  await using sandbox = await createSandbox();
  const { clock, jump } = createJumpingClock();
  const file = join(sandbox.home, "pid");
  const servers = { tools: noting(file, stdioServer("tools-server.mjs", ["--era", "legacy"])) };
  await using host = await hostIn(sandbox, { servers, ports: { clock } });
  const first = await pidOf(host, "tools", file);
  const events = eventsOf(host);
  for (let round = 0; round < 3; round += 1) {
    let call: Promise<HostError> | undefined;
    await new Promise<void>((started) => {
      const options = { onProgress: () => started() };
      call = hostErrorOf(host.call("tools", "slow", { ms: 600_000 }, options));
    });
    jump(CALL_MS);
    expect((await call)?.cause).toMatchObject({ code: "REQUEST_TIMEOUT" });
  }
  expect(await pidOf(host, "tools", file)).toBe(first);
  expect(statesIn(events)).toEqual([]);
});

test("a server that stops responding again and again is not restarted beyond the limit", async () => {
  await using sandbox = await createSandbox();
  const { clock, jump } = createJumpingClock();
  const file = join(sandbox.home, "pid");
  const raw = noting(file, stdioServer("raw-server.mjs"));
  await using host = await hostIn(sandbox, { servers: { raw }, ports: { clock } });
  for (let round = 0; round < 6; round += 1) {
    process.kill(await pidOf(host, "raw", file), "SIGSTOP");
    await timeOut(host, "raw", jump);
    jump(PROBE_MS);
    await eventually(() => expect(host.servers()[0]?.state).not.toBe("connected"));
  }
  expect(host.servers()[0]).toMatchObject({
    state: "failed",
    because: expect.stringContaining('"raw" was restarted 5 times within 5 minutes'),
  });
});

/** An HTTP server that stops responding on request. */
interface Freezable extends AsyncDisposable {
  readonly entry: ServerOptions;
  isFrozen: boolean;
  /** The number of connections to it. */
  connections(): number;
  /** Returns how often a method was requested. */
  count(method: string): number;
}

async function serveStreamable(modern: boolean): Promise<Freezable> {
  let sessions = 0;
  let discoveries = 0;
  const server = await serveRaw({
    answer({ message }, response) {
      if (freezable.isFrozen) return true;
      if (message === undefined) return false;
      const { id, method } = message;
      if (method === "server/discover") {
        discoveries += 1;
        const result = { supportedVersions: [MODERN_VERSION], capabilities: { tools: {} } };
        return modern && sendJson(response, { jsonrpc: "2.0", id, result });
      }
      if (method !== "initialize") return false;
      sessions += 1;
      const headers = { "mcp-session-id": `session-${sessions}` };
      return sendJson(response, { jsonrpc: "2.0", id, ...outcomeOf(message) }, headers);
    },
  });
  const freezable: Freezable = {
    entry: { type: "http", url: server.url },
    isFrozen: false,
    connections: () => (modern ? discoveries : sessions),
    count: server.count,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return freezable;
}

/** The transport of 2024-11-05: one stream for all answers. */
async function serveSse(): Promise<Freezable> {
  const streams: ServerResponse[] = [];
  const methods: unknown[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("event: endpoint\ndata: /messages\n\n");
      streams.push(response);
      return;
    }
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const message = JSON.parse(body) as JsonObject;
    methods.push(message["method"]);
    response.writeHead(202).end();
    if (freezable.isFrozen || message["id"] === undefined) return;
    const answer = JSON.stringify({ jsonrpc: "2.0", id: message["id"], ...outcomeOf(message) });
    streams.at(-1)?.write(`event: message\ndata: ${answer}\n\n`);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const freezable: Freezable = {
    entry: { type: "sse", url: `http://127.0.0.1:${port}/sse` },
    isFrozen: false,
    connections: () => streams.length,
    count: (method) => methods.filter((one) => one === method).length,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return freezable;
}

describe.each([
  ["a legacy server over Streamable HTTP", () => serveStreamable(false), "ping"],
  ["a modern server over Streamable HTTP", () => serveStreamable(true), "server/discover"],
  ["a server over SSE", serveSse, "ping"],
])("%s that no longer responds", (_, serve, probe) => {
  test("gets a new connection, on which the next call is made", async () => {
    await using sandbox = await createSandbox();
    const { clock, jump } = createJumpingClock();
    await using web = await serve();
    await using host = await hostIn(sandbox, { servers: { web: web.entry }, ports: { clock } });
    await host.call("web", "echo", { text: "hello" });
    const before = web.connections();
    const probesBefore = web.count(probe);
    web.isFrozen = true;
    const call = hostErrorOf(host.call("web", "echo", { text: "anyone there?" }));
    await eventually(() => expect(web.count("tools/call")).toBe(2));
    jump(CALL_MS);
    expect((await call).cause).toMatchObject({ code: "REQUEST_TIMEOUT" });
    await eventually(() => expect(web.count(probe)).toBe(probesBefore + 1));
    const next = host.call("web", "echo", { text: "again" });
    web.isFrozen = false;
    jump(PROBE_MS);
    expect(await next).toMatchObject({ text: "again" });
    expect(web.connections()).toBeGreaterThan(before);
    expect(web.count("tools/call")).toBe(3); // what timed out was not sent again
  });

  test("and answers the probe keeps its connection", async () => {
    await using sandbox = await createSandbox();
    const { clock, jump } = createJumpingClock();
    await using web = await serve();
    await using host = await hostIn(sandbox, { servers: { web: web.entry }, ports: { clock } });
    await host.call("web", "echo", { text: "hello" });
    const events = eventsOf(host);
    web.isFrozen = true;
    const call = hostErrorOf(host.call("web", "echo", { text: "anyone there?" }));
    await eventually(() => expect(web.count("tools/call")).toBe(2));
    web.isFrozen = false;
    jump(CALL_MS);
    await call;
    expect(await host.call("web", "echo", { text: "again" })).toMatchObject({ text: "again" });
    jump(PROBE_MS);
    expect(await host.call("web", "echo", { text: "still" })).toMatchObject({ text: "still" });
    expect(statesIn(events)).toEqual([]);
  });
});
