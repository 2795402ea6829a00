import {
  type Era,
  type HostError,
  type HostErrorCode,
  isHostError,
  LEGACY_VERSIONS,
  MODERN_VERSION,
  messageOf,
  type QuestionHandlers,
  type Redactor,
  type ServerLogLevel,
  ToolAbortError,
} from "../model/index.ts";
import {
  type Environment,
  isWebUrl,
  type Ports,
  type RunningProcess,
  unlessAborted,
} from "../platform/index.ts";
import type { RunLog } from "../state/index.ts";
import type { ResolvedLaunch, ResolvedServer } from "../values/index.ts";
import { VERSION } from "../version.ts";
import { type Authorizer, authorizedHttp } from "./authorized-http.ts";
import { BorrowedChannel, type BorrowedServer } from "./borrowed-channel.ts";
import { connectTimedOut, invalidUrl, toConnectError } from "./connect-error.ts";
import type { Connection, TaskJournal } from "./connection.ts";
import { mostInformativeError, shouldTryOtherTransport } from "./http/fallback.ts";
import { HttpChannel } from "./http/http-channel.ts";
import { SseChannel } from "./http/sse-channel.ts";
import { InProcessChannel } from "./in-process/in-process-channel.ts";
import { logRequests } from "./log-requests.ts";
import { OpenedConnection } from "./opened-connection.ts";
import { ServerLogHandler, type ServerLogLine } from "./server-log-handler.ts";
import type { ServerRelay } from "./server-relay.ts";
import { StdioChannel } from "./stdio-channel.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import { announcedCapabilities } from "./wire/announced-capabilities.ts";
import { ServerRequestHandler } from "./wire/answer-server.ts";
import type { Channel } from "./wire/channel.ts";
import { type HandshakeOptions, performHandshake } from "./wire/handshake.ts";
import { Peer } from "./wire/peer.ts";
import { observeBoth, type RequestObserver } from "./wire/request-observer.ts";

/** A stdio server that does not answer the era probe within this time counts as legacy. */
const PROBE_MS = 3_000;
/** The longest delay of a timer. A longer one would fire immediately. */
const LONGEST_MS = 2 ** 31 - 1;

export interface OpenContext {
  readonly ports: Ports;
  readonly environment: Environment;
  readonly redactor: Redactor;
  /** Opens the log for a started process's output outside of the protocol. */
  openLog?(): RunLog;
  /** Handlers for requests from servers. */
  readonly handlers: QuestionHandlers;
  /** Answers servers' requests instead of the handlers, with the capabilities that are announced to the server. */
  readonly relay?: ServerRelay | undefined;
  /** The log level to request from servers. */
  readonly logLevel: ServerLogLevel | undefined;
  /** Returns the era of this launch's last successful connection. */
  lastEra(): Promise<Era | undefined>;
  onEra(era: Era): void;
  onLog(line: ServerLogLine): void;
  /** Called with each host that the server's sandbox refused. */
  onDenied?(target: string): void;
  /** Aborts when the time to connect is over. */
  readonly late: AbortSignal;
  /** Called when a server requests user input and no handler is set. */
  onUnanswered(): void;
  /** Adds the user's sign-in to requests to remote servers. */
  readonly authorizer?: Authorizer | undefined;
  /** Reports requests to the program's OpenTelemetry SDK. */
  readonly telemetry?: Telemetry | undefined;
  /** Whether to log every request. */
  readonly logsRequests?: boolean;
  /** Remembers the tasks of calls. */
  readonly journal?: TaskJournal | undefined;
  /** The server, if another process of the user already runs it. It is not started then. */
  readonly borrowed?: BorrowedServer | undefined;
}

/** Starts or reaches a server and performs the handshake. Rejects with a `HostError` and leaves no process running then. */
export async function openConnection(
  server: ResolvedServer,
  { started, ...context }: OpenContext & { readonly started?: Promise<RunningProcess> | undefined },
  signal: AbortSignal,
): Promise<Connection> {
  let early = started;
  const failures: HostError[] = [];
  const lastEra = await context.lastEra();
  for (const candidate of candidates(server, lastEra, context.borrowed)) {
    try {
      const circumstances = { signal, lastEra, started: early };
      early = undefined;
      const connection = await attempt(server, candidate, context, circumstances);
      context.onEra(connection.facts.era);
      return connection;
    } catch (error) {
      if (!isHostError(error)) throw error;
      failures.push(error);
      if (!candidate.isWorthAnother(error)) break;
    }
  }
  throw mostInformativeError(failures);
}

/** One way to try a connection. */
interface Candidate {
  readonly transport: ResolvedLaunch["transport"];
  /** As in a config entry: `auto`, `legacy`, or one required revision. */
  readonly protocol: string;
  /** Returns whether to try the next candidate after this error. */
  isWorthAnother(error: HostError): boolean;
}

/**
 * Returns the ways to connect, in order. The configured HTTP transport comes first and the other one second, because config
 * files often confuse the two. Some legacy stdio servers exit on the era probe, so a server that exits is started again
 * without the probe. A server that was legacy last time is not probed at first.
 */
function candidates(
  { launch, protocol }: ResolvedServer,
  lastEra: Era | undefined,
  borrowed: BorrowedServer | undefined,
): readonly Candidate[] {
  const { transport } = launch;
  if (borrowed !== undefined) {
    const agreed = borrowed.era === "modern" ? MODERN_VERSION : "legacy";
    return [{ transport, protocol: agreed, isWorthAnother: () => false }];
  }
  if (transport === "in-process") return [{ transport, protocol, isWorthAnother: () => false }];
  const isOpen = protocol === "auto";
  const isLegacy = protocol === "legacy" || LEGACY_VERSIONS.includes(protocol);
  if (transport === "stdio") {
    const after =
      (...codes: readonly HostErrorCode[]) =>
      ({ code }: HostError): boolean =>
        codes.includes(code);
    const withProbe: Candidate = { transport, protocol: "auto", isWorthAnother: after("CONNECT_EXITED") };
    const withoutProbe: Candidate = {
      transport,
      protocol: "legacy",
      isWorthAnother: after("CONNECT_EXITED", "CONNECT_FAILED"),
    };
    if (!isOpen) return [{ ...withProbe, protocol }];
    return lastEra === "legacy" ? [withoutProbe, withProbe] : [withProbe, withoutProbe];
  }
  const http: Candidate = { transport: "http", protocol, isWorthAnother: shouldTryOtherTransport };
  const sse: Candidate = {
    transport: "sse",
    protocol: isLegacy ? protocol : "legacy",
    isWorthAnother: shouldTryOtherTransport,
  };
  if (!isOpen && !isLegacy) return [http]; // the modern era has no SSE transport
  const remembersLegacy = isOpen && lastEra === "legacy";
  const first = remembersLegacy ? { ...http, protocol: "legacy" } : http;
  const pair = transport === "http" ? [first, sse] : [sse, first];
  return remembersLegacy ? [...pair, http] : pair;
}

/** The input of one attempt besides the server. */
interface Circumstances {
  readonly signal: AbortSignal;
  readonly lastEra: Era | undefined;
  readonly started: Promise<RunningProcess> | undefined;
}

async function attempt(
  server: ResolvedServer,
  { transport, protocol }: Candidate,
  context: OpenContext,
  { signal, lastEra, started }: Circumstances,
): Promise<Connection> {
  const { ports, redactor, handlers, relay, late } = context;
  const { launch } = server;
  if ("url" in launch && !isWebAddress(launch.url)) throw invalidUrl(server, launch.url);
  const channel = createChannel(launch, transport, { ...context, started });
  const stdio = channel instanceof StdioChannel ? channel : undefined;
  const peer = new Peer(channel, ports.clock);
  const answerer = new ServerRequestHandler({
    server: server.name,
    handlers,
    relay: relay && ((...asked) => relay.answer(server.name, ...asked)),
    clock: ports.clock,
    log: ports.log,
    mask: () => redactor.maskLongValues(),
    onUnanswered: context.onUnanswered,
  });
  peer.onHandlerError = (error) =>
    ports.log.log("error", "message.failed", { server: server.name, error: messageOf(error) });
  peer.observe = observerOf(server, channel, context);
  peer.mayAsk = answerer.mayAsk;
  peer.onRequest = answerer.answerAllowed;
  const handshake: HandshakeOptions = {
    identity: {
      name: "plugboard",
      version: VERSION,
      capabilities: relay?.announce ?? announcedCapabilities(handlers),
    },
    protocol,
    timeoutMs: server.startupTimeoutMs,
    probeMs: lastEra === "modern" ? server.startupTimeoutMs : PROBE_MS,
  };
  // A package runner may install packages first. `late` limits the total time.
  const longestMs = Math.min(server.startupTimeoutMs + server.installTimeoutMs, LONGEST_MS);
  const firstHandshake =
    stdio === undefined
      ? handshake
      : { ...handshake, timeoutMs: longestMs, probeMs: lastEra === "modern" ? longestMs : PROBE_MS };
  try {
    const either = AbortSignal.any([signal, late]);
    // Start even if already cancelled: the program may be running, and only the channel can end it.
    const agreed = peer.start().then(() => performHandshake(peer, channel, firstHandshake));
    agreed.catch(() => {});
    const agreement = await unlessAborted(either, () => agreed);
    return new OpenedConnection({
      server,
      channel,
      peer,
      stdio,
      agreement,
      handshake,
      clock: ports.clock,
      redactor,
      answerer,
      roots: handlers.roots,
      journal: context.journal,
      logs: new ServerLogHandler({
        clock: ports.clock,
        redactor,
        wanted: context.logLevel,
        onLine: context.onLog,
      }),
    });
  } catch (error) {
    await peer.close().catch(() => {});
    if (signal.aborted) throw new ToolAbortError(undefined, { cause: error });
    throw late.aborted
      ? connectTimedOut(server, redactor, stdio)
      : toConnectError(error, { server, redactor, stdio });
  }
}

/** Returns `undefined` if nothing observes requests, which then take the shortest path. */
function observerOf(
  { name, launch }: ResolvedServer,
  channel: Channel,
  { telemetry, ports, redactor, logsRequests }: OpenContext,
): RequestObserver | undefined {
  const { clock } = ports;
  const url = "url" in launch ? new URL(launch.url) : undefined;
  const redact = (text: string): string => redactor.redact(text);
  return observeBoth(
    telemetry?.observe({ server: name, channel, url, clock, redact }),
    logsRequests === true ? logRequests(name, ports) : undefined,
  );
}

/** The resolved values may have changed the scheme. */
function isWebAddress(url: string): boolean {
  return URL.canParse(url) && isWebUrl(new URL(url));
}

function createChannel(
  launch: ResolvedLaunch,
  transport: ResolvedLaunch["transport"],
  {
    ports,
    environment,
    openLog,
    authorizer,
    started,
    borrowed,
  }: OpenContext & Pick<Circumstances, "started">,
): Channel {
  if (borrowed !== undefined) return new BorrowedChannel(borrowed.socket);
  if (launch.transport === "stdio")
    return new StdioChannel(launch, { ports, environment, log: openLog?.(), started });
  if (launch.transport === "in-process") return new InProcessChannel(launch.source, ports.log);
  const headers = Object.fromEntries(
    [...launch.headers].map(([name, value]) => [name.toLowerCase(), value.reveal()]),
  );
  const url = new URL(launch.url);
  const http = authorizer === undefined ? ports.http : authorizedHttp(ports.http, url, authorizer);
  const options = { http, clock: ports.clock, url, headers };
  return transport === "sse" ? new SseChannel(options) : new HttpChannel(options);
}
