import {
  Client,
  type ProgressCallback,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import {
  isHostError,
  type JsonObject,
  type Redactor,
  type ServerFacts,
  ToolAbortError,
} from "../model/index.ts";
import type { Environment, Ports } from "../platform/index.ts";
import type { ResolvedLaunch, ResolvedServer } from "../values/index.ts";
import { VERSION } from "../version.ts";
import { timedOut, toConnectError } from "./connect-error.ts";
import type { Connection, ConnectionEnd, RequestOptions } from "./connection.ts";
import { toRequestError } from "./request-error.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** A server that has not answered the era question by then is taken to be of the legacy era. */
const PROBE_MS = 3_000;
const WHOLE_CALL_MS = 600_000;

export interface OpenContext {
  readonly ports: Ports;
  readonly environment: Environment;
  readonly redactor: Redactor;
}

/** Starts or reaches a server and shakes hands. Rejects with a `HostError`; leaves nothing running when it does. */
export async function openConnection(
  server: ResolvedServer,
  context: OpenContext,
  signal: AbortSignal,
): Promise<Connection> {
  let first: unknown;
  for (const transport of candidates(server.launch)) {
    try {
      return await attempt(server, transport, context, signal);
    } catch (error) {
      first ??= error;
      if (!mayBeOtherTransport(error)) break;
    }
  }
  throw first;
}

/** What the config calls it comes first; servers of the two HTTP kinds are mistaken for each other all the time. */
function candidates({ transport }: ResolvedLaunch): readonly ResolvedLaunch["transport"][] {
  if (transport === "stdio") return ["stdio"];
  return transport === "http" ? ["http", "sse"] : ["sse", "http"];
}

/** A plain HTTP refusal other than "sign in" may mean that the other kind is spoken there. */
function mayBeOtherTransport(error: unknown): boolean {
  return isHostError(error, "CONNECT_FAILED");
}

async function attempt(
  server: ResolvedServer,
  kind: ResolvedLaunch["transport"],
  { ports, environment, redactor }: OpenContext,
  signal: AbortSignal,
): Promise<Connection> {
  const transport = createTransport(server.launch, kind, ports, environment);
  const stdio = transport instanceof StdioTransport ? transport : undefined;
  const client = new Client(
    { name: "plugboard", version: VERSION },
    {
      capabilities: {},
      versionNegotiation: {
        mode: kind === "sse" ? "legacy" : "auto",
        probe: { timeoutMs: Math.min(PROBE_MS, server.startupTimeoutMs) },
      },
    },
  );
  let late = false;
  const deadline = new AbortController();
  const stopTimer = ports.clock.after(server.startupTimeoutMs, () => {
    late = true;
    deadline.abort();
  });
  try {
    const either = AbortSignal.any([signal, deadline.signal]);
    const connecting = client.connect(transport, { timeout: server.startupTimeoutMs, signal: either });
    await Promise.race([connecting, rejectOnAbort(either)]);
  } catch (error) {
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
    if (signal.aborted) throw new ToolAbortError(undefined, { cause: error });
    throw late ? timedOut(server) : toConnectError(error, { server, redactor, stdio });
  } finally {
    stopTimer();
  }
  return wrap(client, { server, kind, redactor, stdio });
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(new Error("aborted"));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}

function createTransport(
  launch: ResolvedLaunch,
  kind: ResolvedLaunch["transport"],
  ports: Ports,
  environment: Environment,
): Transport {
  if (launch.transport === "stdio") return new StdioTransport(launch, ports, environment);
  const headers = Object.fromEntries([...launch.headers].map(([name, value]) => [name, value.reveal()]));
  const options = { requestInit: { headers }, fetch: ports.fetch };
  const url = new URL(launch.url);
  return kind === "sse"
    ? new SSEClientTransport(url, options)
    : new StreamableHTTPClientTransport(url, options);
}

interface Opened {
  readonly server: ResolvedServer;
  readonly kind: ResolvedLaunch["transport"];
  readonly redactor: Redactor;
  readonly stdio: StdioTransport | undefined;
}

function wrap(client: Client, { server, kind, redactor, stdio }: Opened): Connection {
  const { name } = server;
  let closing = false;
  const ended = new Promise<ConnectionEnd>((resolve) => {
    client.onclose = () => resolve({ expected: closing, message: describeEnd(name, stdio, redactor) });
  });
  return {
    server: name,
    facts: factsOf(client, kind),
    ended,
    async request(method, params, options) {
      try {
        return await client.request({ method, params: { ...params } }, ANY_RESULT, {
          timeout: options.timeoutMs,
          resetTimeoutOnProgress: true,
          maxTotalTimeout: WHOLE_CALL_MS,
          ...(options.signal && { signal: options.signal }),
          ...(options.onProgress && { onprogress: toProgress(options.onProgress) }),
        });
      } catch (error) {
        throw toRequestError(error, name, options, redactor);
      }
    },
    onNotification(listener) {
      client.fallbackNotificationHandler = async ({ method }) => listener(method);
    },
    async close() {
      closing = true;
      await client.close();
      await stdio?.close();
    },
  };
}

function toProgress(listener: NonNullable<RequestOptions["onProgress"]>): ProgressCallback {
  return ({ progress, total, message }) =>
    listener({ progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) });
}

/** Results are checked item by item where they are used; one bad item must not lose the others. */
const ANY_RESULT = {
  "~standard": {
    version: 1,
    vendor: "plugboard",
    validate: (value: unknown) => ({ value: value as JsonObject }),
    types: undefined as unknown as { readonly input: unknown; readonly output: JsonObject },
  },
} as const;

function factsOf(client: Client, transport: ServerFacts["transport"]): ServerFacts {
  const { name, version } = client.getServerVersion() ?? {};
  return {
    name,
    version,
    protocolVersion: client.getNegotiatedProtocolVersion() ?? "unknown",
    era: client.getProtocolEra() ?? "legacy",
    transport,
    capabilities: Object.keys(client.getServerCapabilities() ?? {}).sort(),
    instructions: client.getInstructions(),
  };
}

function describeEnd(name: string, stdio: StdioTransport | undefined, redactor: Redactor): string {
  const end = stdio?.end;
  if (end === undefined || stdio === undefined) return `The connection to "${name}" ended.`;
  const how = end.signal === undefined ? `with code ${end.code}` : `by ${end.signal}`;
  const last = stdio.stderr.lastLines(3);
  return redactor.redact(
    `The process of "${name}" ended ${how}.${last === "" ? "" : ` Its last words:\n${last}`}`,
  );
}
