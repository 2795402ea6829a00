import {
  Client,
  type ProgressCallback,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import {
  type HostErrorCode,
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
import { followNotices } from "./follow-notices.ts";
import { describeProcessEnd } from "./process-end.ts";
import { toRequestError } from "./request-error.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** A stdio server that has not answered the question about eras by then is taken to be of the legacy one. */
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
  for (const candidate of candidates(server.launch)) {
    try {
      return await attempt(server, candidate, context, signal);
    } catch (error) {
      first ??= error;
      if (!isHostError(error, candidate.nextAfter)) break;
    }
  }
  throw first;
}

/** One way to try a connection. */
interface Candidate {
  readonly transport: ResolvedLaunch["transport"];
  readonly mode: "auto" | "legacy";
  /** The failure that makes the next way worth trying. */
  readonly nextAfter: HostErrorCode;
}

/**
 * What the config calls it comes first; servers of the two HTTP kinds are mistaken for each other all the time, and a
 * plain HTTP refusal may mean that the other kind is spoken there. Some stdio servers of the legacy era end at the
 * question about eras, so that one that ends is started once more without it.
 */
function candidates({ transport }: ResolvedLaunch): readonly Candidate[] {
  const stdio = { transport: "stdio", nextAfter: "CONNECT_EXITED" } as const;
  const http: Candidate = { transport: "http", mode: "auto", nextAfter: "CONNECT_FAILED" };
  const sse: Candidate = { transport: "sse", mode: "legacy", nextAfter: "CONNECT_FAILED" };
  switch (transport) {
    case "stdio":
      return [
        { ...stdio, mode: "auto" },
        { ...stdio, mode: "legacy" },
      ];
    case "http":
      return [http, sse];
    case "sse":
      return [sse, http];
  }
}

async function attempt(
  server: ResolvedServer,
  { transport: kind, mode }: Candidate,
  { ports, environment, redactor }: OpenContext,
  signal: AbortSignal,
): Promise<Connection> {
  const transport = createTransport(server.launch, kind, ports, environment);
  const stdio = transport instanceof StdioTransport ? transport : undefined;
  const noticesSent = followNotices(transport, ports.clock);
  const client = new Client(
    { name: "plugboard", version: VERSION },
    {
      capabilities: {},
      versionNegotiation: {
        mode,
        probe: {
          timeoutMs: kind === "stdio" ? Math.min(PROBE_MS, server.startupTimeoutMs) : server.startupTimeoutMs,
        },
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
  return wrap(client, { server, kind, redactor, stdio, noticesSent });
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
  readonly noticesSent: () => Promise<void>;
}

function wrap(client: Client, opened: Opened): Connection {
  const { server, kind, redactor, stdio } = opened;
  let closing = false;
  let end: ConnectionEnd | undefined;
  const describe = (): string =>
    closing ? `the connection to "${server.name}" was closed` : describeEnd(opened);
  const ended = new Promise<ConnectionEnd>((resolve) => {
    client.onclose = () => {
      end ??= { expected: closing, message: describe() };
      resolve(end);
    };
  });
  return {
    server: server.name,
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
        const lost = end?.message ?? describe();
        const failure = toRequestError(error, { server: server.name, options, redactor, lost });
        // Nothing more will come of this one: the next caller gets a new connection.
        if (isHostError(failure, "CONNECTION_LOST")) void client.close().catch(() => {});
        throw failure;
      }
    },
    onNotification(listener) {
      client.fallbackNotificationHandler = async ({ method }) => listener(method);
    },
    async close() {
      closing = true;
      await opened.noticesSent();
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

function describeEnd({ server: { name }, stdio, redactor }: Opened): string {
  const ended = stdio && describeProcessEnd(stdio, redactor);
  return ended === undefined ? `the connection to "${name}" was lost` : `the process of "${name}" ${ended}`;
}
