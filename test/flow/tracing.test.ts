import { createHash } from "node:crypto";
import { createServer, request as forward, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { outcomeOf, sendJson, serveRaw } from "../support/raw-http.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startHttpServer, startSseServer, stdioServer } from "../support/test-servers.ts";
import { hostIn } from "./host-in.ts";

const spans = new InMemorySpanExporter();
const points = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({ exporter: points, exportIntervalMillis: 2 ** 30 });
const traced = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
const measured = new MeterProvider({ readers: [reader] });

beforeAll(() => {
  traced.register();
  metrics.setGlobalMeterProvider(measured);
});

beforeEach(() => spans.reset());

afterAll(async () => {
  await Promise.all([traced.shutdown(), measured.shutdown()]);
  trace.disable();
  context.disable();
  propagation.disable();
  metrics.disable();
});

const named = (name: string): ReadableSpan[] => spans.getFinishedSpans().filter((span) => span.name === name);

function only(name: string): ReadableSpan {
  const [span, ...more] = named(name);
  if (span === undefined || more.length > 0)
    throw new Error(`${more.length + (span ? 1 : 0)} spans of ${name}: ${allNames().join(", ")}`);
  return span;
}

const allNames = (): string[] => spans.getFinishedSpans().map(({ name }) => name);

describe.each(["legacy", "modern"])("with a program of the %s era", (era) => {
  const servers = { asking: stdioServer("asking-server.mjs", ["--era", era]) };

  test("a call is a CLIENT span below the caller's, and the server receives its context", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers });
    const received = await trace.getTracer("test").startActiveSpan("agent", async (agent) => {
      const { text } = await host.call("asking", "meta");
      agent.end();
      return JSON.parse(text) as Record<string, string>;
    });
    const agent = only("agent");
    const call = only("tools/call meta");
    expect(call.kind).toBe(SpanKind.CLIENT);
    expect(call.parentSpanContext?.spanId).toBe(agent.spanContext().spanId);
    const { traceId, spanId } = call.spanContext();
    expect(received["traceparent"]).toBe(`00-${traceId}-${spanId}-01`);
    expect(call.attributes).toEqual({
      "mcp.method.name": "tools/call",
      "mcp.protocol.version": era === "modern" ? "2026-07-28" : "2025-11-25",
      "jsonrpc.request.id": expect.stringMatching(/^\d+$/) as string,
      "gen_ai.tool.name": "meta",
      "gen_ai.operation.name": "execute_tool",
      "network.transport": "pipe",
      "plugboard.server.name": "asking",
    });
    expect(call.status.code).toBe(SpanStatusCode.UNSET);
  });

  test("a start is an INTERNAL span around the handshake", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers });
    await host.connect("asking");
    const start = only("connect asking");
    expect(start.kind).toBe(SpanKind.INTERNAL);
    expect(start.attributes).toEqual({
      "mcp.protocol.version": era === "modern" ? "2026-07-28" : "2025-11-25",
      "network.transport": "pipe",
      "plugboard.server.name": "asking",
    });
    const handshake = named(era === "modern" ? "server/discover" : "initialize");
    expect(handshake.map((span) => span.parentSpanContext?.spanId)).toEqual([start.spanContext().spanId]);
  });
});

test("lists, resources and prompts have spans, without the URI of a resource", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { notes: stdioServer("notes-server.mjs") } });
  await host.tools("notes");
  await host.resources.read("notes", "note://first");
  await host.prompts.get("notes", "summarize", { topic: "a secret topic" });
  expect(allNames()).toEqual(
    expect.arrayContaining(["tools/list", "resources/read", "prompts/get summarize"]),
  );
  expect(only("prompts/get summarize").attributes).toMatchObject({ "gen_ai.prompt.name": "summarize" });
  expect(everythingSaid()).not.toMatch(/note:\/\/|secret topic/);
});

test("the caller's own trace context is the parent", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { asking: stdioServer("asking-server.mjs") } });
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const meta = { traceparent, tracestate: "vendor=1", baggage: "user=ann", "example.com/note": 1 };
  const { text } = await host.call("asking", "meta", {}, { meta });
  const call = only("tools/call meta");
  expect(call.spanContext().traceId).toBe("4bf92f3577b34da6a3ce929d0e0e4736");
  expect(call.parentSpanContext?.spanId).toBe("00f067aa0ba902b7");
  expect(JSON.parse(text)).toMatchObject({
    ...meta,
    traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-${call.spanContext().spanId}-01`,
  });
});

test("baggage stays in this program: a server may belong to someone else", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { asking: stdioServer("asking-server.mjs") } });
  const baggage = propagation.createBaggage({ customer: { value: "ann" } });
  const { text } = await context.with(propagation.setBaggage(context.active(), baggage), () =>
    host.call("asking", "meta"),
  );
  expect(JSON.parse(text)).toHaveProperty("traceparent");
  expect(text).not.toContain("ann");
});

describe("over HTTP", () => {
  test("the context is a header too, and the address has no path or query", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveRaw({
      answer({ message }, response) {
        if (message?.["method"] !== "initialize") return false;
        const answer = { jsonrpc: "2.0", id: message["id"], ...outcomeOf(message) };
        return sendJson(response, answer, { "mcp-session-id": "session-of-ann" });
      },
    });
    const url = `${server.url}?api_key=in-the-query`;
    await using host = await hostIn(sandbox, { servers: { web: { url } } });
    await host.call("web", "echo", { text: "an argument" });
    const call = only("tools/call echo");
    const { traceId, spanId } = call.spanContext();
    const sent = server.asked.find(({ message }) => message?.["method"] === "tools/call");
    expect(sent?.headers["traceparent"]).toBe(`00-${traceId}-${spanId}-01`);
    const hash = createHash("sha256").update("session-of-ann").digest("hex");
    expect(call.attributes).toMatchObject({
      "network.transport": "tcp",
      "network.protocol.name": "http",
      "server.address": "127.0.0.1",
      "server.port": Number(new URL(url).port),
      "mcp.session.id": hash.slice(0, 16),
    });
    expect(everythingSaid()).not.toMatch(/in-the-query|api_key|session-of-ann|an argument/);
  });

  test.each([
    ["modern Streamable HTTP", "http", () => startHttpServer(), { text: "hello" }],
    ["SSE", "sse", () => startSseServer(), { message: "hello" }],
  ] as const)("%s carries the header too", async (_, type, start, args) => {
    await using sandbox = await createSandbox();
    await using server = await start();
    await using watched = await watchRequests(server.url);
    await using host = await hostIn(sandbox, { servers: { web: { type, url: watched.url } } });
    await host.call("web", "echo", args);
    const { traceId, spanId } = only("tools/call echo").spanContext();
    expect(watched.headers.map(({ traceparent }) => traceparent)).toContain(`00-${traceId}-${spanId}-01`);
  });
});

describe("a failure", () => {
  test("of a tool is tool_error", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
    await host.call("tools", "fail", {});
    const { attributes, status } = only("tools/call fail");
    expect(attributes).toMatchObject({ "error.type": "tool_error" });
    expect(status).toEqual({ code: SpanStatusCode.ERROR });
  });

  test("of a request has the server's code, but not its text", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { notes: stdioServer("notes-server.mjs") } });
    await expect(host.resources.read("notes", "note://a-private-name")).rejects.toThrow();
    const { attributes, status, events } = only("resources/read");
    const code = attributes["rpc.response.status_code"];
    expect(code).toMatch(/^-32\d{3}$/);
    expect(attributes["error.type"]).toBe(code);
    expect(status).toEqual({ code: SpanStatusCode.ERROR });
    expect(events).toEqual([]);
    expect(everythingSaid()).not.toContain("a-private-name");
  });

  test("to start has the error code", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { gone: { command: "no-such-program-here" } } });
    await expect(host.connect("gone")).rejects.toThrow();
    const { attributes, status } = only("connect gone");
    expect(attributes).toMatchObject({ "error.type": "CONNECT_COMMAND_NOT_FOUND" });
    expect(status).toEqual({ code: SpanStatusCode.ERROR });
  });

  test.each([
    ["a cancelled call", "cancelled", undefined],
    ["the time limit of a call", "timeout", new DOMException("timed out", "TimeoutError")],
  ])("caused by %s is named as such", async (_what, type, reason) => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
    await host.connect("tools");
    const abort = new AbortController();
    const calling = host.call(
      "tools",
      "slow",
      { ms: 60_000 },
      { signal: abort.signal, onProgress: () => abort.abort(reason) },
    );
    await expect(calling).rejects.toThrow();
    expect(only("tools/call slow").attributes).toMatchObject({ "error.type": type });
  });
});

test("durations are a histogram in seconds", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
  points.reset();
  await host.call("tools", "echo", { text: "hello" });
  await host.call("tools", "fail", {});
  await measured.forceFlush();
  const [metric] = points
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
    .filter(({ descriptor }) => descriptor.name === "mcp.client.operation.duration");
  expect(metric?.descriptor).toMatchObject({ unit: "s" });
  const rows = metric?.dataPoints.map(({ attributes }) => attributes);
  expect(rows).toContainEqual({
    "mcp.method.name": "tools/call",
    "mcp.protocol.version": "2026-07-28",
    "gen_ai.tool.name": "echo",
    "gen_ai.operation.name": "execute_tool",
    "network.transport": "pipe",
    "plugboard.server.name": "tools",
  });
  expect(rows).toContainEqual(expect.objectContaining({ "error.type": "tool_error" }));
});

test("a secret in a name is masked", async () => {
  await using sandbox = await createSandbox();
  const servers = { tools: { ...stdioServer("tools-server.mjs"), env: { API_TOKEN: "echo-but-secret" } } };
  await using host = await hostIn(sandbox, { servers });
  await host.connect("tools");
  await expect(host.prompts.get("tools", "echo-but-secret")).rejects.toThrow();
  expect(everythingSaid()).not.toContain("echo-but-secret");
});

/** Returns everything in spans and measurements, as text. */
function everythingSaid(): string {
  return JSON.stringify(
    spans
      .getFinishedSpans()
      .map(({ name, attributes, status, events }) => ({ name, attributes, status, events })),
  );
}

interface WatchedServer extends AsyncDisposable {
  readonly url: string;
  readonly headers: readonly IncomingHttpHeaders[];
}

/** Forwards requests to a server and keeps their headers. */
async function watchRequests(target: string): Promise<WatchedServer> {
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((incoming, outgoing) => {
    headers.push(incoming.headers);
    const { method, headers: sent } = incoming;
    const onward = forward(new URL(incoming.url ?? "", target), { method, headers: sent }, (answer) =>
      answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers)),
    );
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${new URL(target).pathname}`,
    headers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
