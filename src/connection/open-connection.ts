import { type HostError, isHostError, type Redactor, ToolAbortError } from "../model/index.ts";
import type { Environment, Ports } from "../platform/index.ts";
import type { RunLog } from "../state/index.ts";
import type { ResolvedLaunch, ResolvedServer } from "../values/index.ts";
import { VERSION } from "../version.ts";
import { timedOut, toConnectError } from "./connect-error.ts";
import type { Connection } from "./connection.ts";
import { isWorthTheOtherKind, theOneThatMatters } from "./http/fallback.ts";
import { HttpChannel } from "./http/http-channel.ts";
import { SseChannel } from "./http/sse-channel.ts";
import { OpenedConnection } from "./opened-connection.ts";
import { lastWords } from "./process-end.ts";
import { StdioChannel } from "./stdio-channel.ts";
import type { Channel } from "./wire/channel.ts";
import type { ClientIdentity } from "./wire/era.ts";
import { type HandshakeOptions, shakeHands } from "./wire/handshake.ts";
import { Peer } from "./wire/peer.ts";

/** A stdio server that has not answered the question about eras by then is taken to be of the legacy one. */
const PROBE_MS = 3_000;

export interface OpenContext {
  readonly ports: Ports;
  readonly environment: Environment;
  readonly redactor: Redactor;
  /** For each process that is started: where what it says beside the protocol is kept. */
  openLog?(): RunLog;
}

const IDENTITY: ClientIdentity = { name: "plugboard", version: VERSION, capabilities: {} };

/** Starts or reaches a server and shakes hands. Rejects with a `HostError`; leaves nothing running when it does. */
export async function openConnection(
  server: ResolvedServer,
  context: OpenContext,
  signal: AbortSignal,
): Promise<Connection> {
  const failures: HostError[] = [];
  const late = new AbortController();
  const stopTimer = context.ports.clock.after(server.startupTimeoutMs, () => late.abort());
  try {
    for (const candidate of candidates(server.launch)) {
      try {
        return await attempt(server, candidate, context, { signal, late: late.signal });
      } catch (error) {
        if (!isHostError(error)) throw error;
        failures.push(error);
        if (!candidate.isWorthAnother(error)) break;
      }
    }
  } finally {
    stopTimer();
  }
  throw theOneThatMatters(failures);
}

/** One way to try a connection. */
interface Candidate {
  readonly transport: ResolvedLaunch["transport"];
  readonly mode: "auto" | "legacy";
  /** Is the next way worth trying after such a failure? */
  isWorthAnother(error: HostError): boolean;
}

/**
 * What the config calls it comes first. Some stdio servers of the legacy era end at the question about eras, so that one
 * that ends is started once more without it.
 */
function candidates({ transport }: ResolvedLaunch): readonly Candidate[] {
  const isWorthAnother = (error: HostError): boolean => error.code === "CONNECT_EXITED";
  const stdio = { transport: "stdio", isWorthAnother } as const;
  const http: Candidate = { transport: "http", mode: "auto", isWorthAnother: isWorthTheOtherKind };
  const sse: Candidate = { transport: "sse", mode: "legacy", isWorthAnother: isWorthTheOtherKind };
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
  { transport, mode }: Candidate,
  context: OpenContext,
  { signal, late }: { readonly signal: AbortSignal; readonly late: AbortSignal },
): Promise<Connection> {
  const { ports, redactor } = context;
  const channel = createChannel(server.launch, transport, context);
  const stdio = channel instanceof StdioChannel ? channel : undefined;
  const peer = new Peer(channel, ports.clock);
  const handshake: HandshakeOptions = {
    identity: IDENTITY,
    protocol: mode,
    timeoutMs: server.startupTimeoutMs,
    probeMs: PROBE_MS,
  };
  try {
    const either = AbortSignal.any([signal, late]);
    const agreed = peer.start().then(() => shakeHands(peer, channel, handshake));
    const agreement = await Promise.race([agreed, rejectOnAbort(either)]);
    return new OpenedConnection({
      server,
      channel,
      peer,
      stdio,
      agreement,
      handshake,
      clock: ports.clock,
      redactor,
    });
  } catch (error) {
    await peer.close().catch(() => {});
    if (signal.aborted) throw new ToolAbortError(undefined, { cause: error });
    throw late.aborted
      ? timedOut(server, stdio && lastWords(stdio, redactor))
      : toConnectError(error, { server, redactor, stdio });
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(new Error("aborted"));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}

function createChannel(
  launch: ResolvedLaunch,
  transport: ResolvedLaunch["transport"],
  { ports, environment, openLog }: OpenContext,
): Channel {
  if (launch.transport === "stdio") return new StdioChannel(launch, { ports, environment, log: openLog?.() });
  const headers = Object.fromEntries(
    [...launch.headers].map(([name, value]) => [name.toLowerCase(), value.reveal()]),
  );
  const options = { http: ports.http, clock: ports.clock, url: new URL(launch.url), headers };
  return transport === "sse" ? new SseChannel(options) : new HttpChannel(options);
}
