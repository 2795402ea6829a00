import { createHash } from "node:crypto";
import type { Attributes, Context, Histogram, Meter, Span, Tracer } from "@opentelemetry/api";
import { isHostError, isJsonObject, type JsonObject, shortLine } from "../../model/index.ts";
import { elapsed } from "../../platform/index.ts";
import { VERSION } from "../../version.ts";
import type { ObservedRequest, RequestFailure, SentRequest } from "../wire/request-observer.ts";
import type { Telemetry, TracedConnection } from "./telemetry.ts";

type Api = typeof import("@opentelemetry/api");

const SCOPE = "plugboard";
/** The bounds of the duration histogram, in seconds, as the semantic conventions recommend. */
const BOUNDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
/** Sent to servers. Baggage is not: it can describe the program's users, and a server may belong to another party. */
const PROPAGATED = ["traceparent", "tracestate"] as const;
const LONGEST_NAME = 200;
/** Stays open as long as the connection, so it has no useful duration. */
const ENDLESS_METHOD = "subscriptions/listen";

/** Loads `@opentelemetry/api`. Resolves with `undefined` if it is not installed. */
export async function loadOpenTelemetry(): Promise<Telemetry | undefined> {
  try {
    return createTelemetry(await import("@opentelemetry/api"));
  } catch {
    return undefined;
  }
}

function createTelemetry(api: Api): Telemetry {
  const tracer = perProvider(
    () => api.trace.getTracerProvider(),
    (provider): Tracer => provider.getTracer(SCOPE, VERSION),
  );
  const durations = perProvider(
    () => api.metrics.getMeterProvider(),
    (provider): Histogram => createHistogram(provider.getMeter(SCOPE, VERSION)),
  );
  return {
    async traceStart(server, start) {
      const attributes = { "plugboard.server.name": shortLine(server, LONGEST_NAME) };
      const name = `connect ${attributes["plugboard.server.name"]}`;
      const span = safely(() => tracer().startSpan(name, { kind: api.SpanKind.INTERNAL, attributes }));
      if (span === undefined) return start();
      try {
        const opened = await api.context.with(api.trace.setSpan(api.context.active(), span), start);
        const { protocolVersion, transport } = opened.facts;
        safely(() =>
          span.setAttributes({ ...networkOf(transport), "mcp.protocol.version": protocolVersion }),
        );
        return opened;
      } catch (error) {
        safely(() => markFailed(api, span, { type: isHostError(error) ? error.code : "_OTHER" }));
        throw error;
      } finally {
        safely(() => span.end());
      }
    },
    observe(connection) {
      const commonAttributes = connectionAttributes(connection);
      return (request) =>
        request.method === ENDLESS_METHOD
          ? undefined
          : safely(() => observeRequest(api, { tracer, durations, connection, commonAttributes, request }));
    },
  };
}

interface Observation {
  tracer(): Tracer;
  durations(): Histogram;
  readonly connection: TracedConnection;
  readonly commonAttributes: Attributes;
  readonly request: SentRequest;
}

function observeRequest(api: Api, observation: Observation): ObservedRequest {
  const { tracer, durations, connection, commonAttributes, request } = observation;
  const { method, version, params } = request;
  const target = targetOf(request, connection);
  const measured: Attributes = {
    ...commonAttributes,
    "mcp.method.name": method,
    ...(version !== undefined && { "mcp.protocol.version": version }),
    ...target?.attributes,
  };
  const session = sessionOf(connection);
  const attributes: Attributes = {
    ...measured,
    "jsonrpc.request.id": String(request.id),
    ...(session !== undefined && { "mcp.session.id": session }),
  };
  const parent = parentOf(api, params);
  const name = target === undefined ? method : `${method} ${target.name}`;
  const startedAt = elapsed(connection.clock);
  const span = tracer().startSpan(name, { kind: api.SpanKind.CLIENT, attributes }, parent);
  const current = api.trace.setSpan(parent, span);
  return {
    context: traceContext(api, current),
    within: (send) => api.context.with(current, send),
    ended: (failure) =>
      safely(() => {
        const seconds = (elapsed(connection.clock) - startedAt) / 1000;
        durations().record(seconds, { ...measured, ...failureAttributes(failure) }, current);
        if (failure !== undefined) markFailed(api, span, failure);
        span.end();
      }),
  };
}

/** The caller can pass a trace context in `meta`, for example one that it received from its own client. */
function parentOf(api: Api, { _meta: meta }: JsonObject): Context {
  const active = api.context.active();
  if (!isJsonObject(meta) || typeof meta["traceparent"] !== "string") return active;
  const { traceparent, tracestate } = meta;
  return api.propagation.extract(active, {
    traceparent,
    ...(typeof tracestate === "string" && { tracestate }),
  });
}

function traceContext(api: Api, context: Context): Record<string, string> | undefined {
  const carrier: Record<string, unknown> = {};
  api.propagation.inject(context, carrier);
  const fields = PROPAGATED.flatMap((name) => {
    const value = carrier[name];
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

/** The tool or prompt of a request. A resource's URI is not a target: it can contain secrets and has too many values. */
function targetOf(
  { method, params: { name } }: SentRequest,
  { redact }: TracedConnection,
): { readonly name: string; readonly attributes: Attributes } | undefined {
  if (typeof name !== "string" || (method !== "tools/call" && method !== "prompts/get")) return undefined;
  const shown = shortLine(redact(name), LONGEST_NAME);
  const attributes: Attributes =
    method === "tools/call"
      ? { "gen_ai.tool.name": shown, "gen_ai.operation.name": "execute_tool" }
      : { "gen_ai.prompt.name": shown };
  return { name: shown, attributes };
}

/** Returns a hash of the session id, because some servers accept the id alone as proof of identity. */
function sessionOf({ channel: { session } }: TracedConnection): string | undefined {
  return session === undefined ? undefined : createHash("sha256").update(session).digest("hex").slice(0, 16);
}

function connectionAttributes({ server, channel, url, redact }: TracedConnection): Attributes {
  return {
    "plugboard.server.name": shortLine(redact(server), LONGEST_NAME),
    ...networkOf(channel.transport),
    ...(url !== undefined && {
      "server.address": redact(url.hostname),
      "server.port": Number(url.port || (url.protocol === "https:" ? 443 : 80)),
    }),
  };
}

function networkOf(transport: string): Attributes {
  if (transport === "stdio") return { "network.transport": "pipe" };
  const isHttp = transport === "http" || transport === "sse";
  return isHttp ? { "network.transport": "tcp", "network.protocol.name": "http" } : {};
}

function failureAttributes(failure: RequestFailure | undefined): Attributes {
  if (failure === undefined) return {};
  const { type, code } = failure;
  return { "error.type": type, ...(code !== undefined && { "rpc.response.status_code": code }) };
}

/** Sets no message, because a server's error text can repeat arguments and secrets. */
function markFailed(api: Api, span: Span, failure: RequestFailure): void {
  span.setAttributes(failureAttributes(failure));
  span.setStatus({ code: api.SpanStatusCode.ERROR });
}

function createHistogram(meter: Meter): Histogram {
  return meter.createHistogram("mcp.client.operation.duration", {
    description: "The duration of an MCP request, from sending it to its response.",
    unit: "s",
    advice: { explicitBucketBoundaries: BOUNDS },
  });
}

/** Creates something again only if the program registered another provider. */
function perProvider<P, T>(provider: () => P, create: (provider: P) => T): () => T {
  let last: { readonly provider: P; readonly created: T } | undefined;
  return () => {
    const current = provider();
    if (last?.provider !== current) last = { provider: current, created: create(current) };
    return last.created;
  };
}

/** A span processor or exporter of the program may throw, which must not affect requests. */
function safely<T>(report: () => T): T | undefined {
  try {
    return report();
  } catch {
    return undefined;
  }
}
