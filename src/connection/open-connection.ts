import {
  type Era,
  type HostError,
  type HostErrorCode,
  isHostError,
  LEGACY_VERSIONS,
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
import { invalidUrl, timedOut, toConnectError } from "./connect-error.ts";
import type { Connection } from "./connection.ts";
import { isWorthTheOtherKind, theOneThatMatters } from "./http/fallback.ts";
import { HttpChannel } from "./http/http-channel.ts";
import { SseChannel } from "./http/sse-channel.ts";
import { LogNotices, type ServerLogLine } from "./log-notices.ts";
import { OpenedConnection } from "./opened-connection.ts";
import { StdioChannel } from "./stdio-channel.ts";
import { Answerer, announce } from "./wire/answer-server.ts";
import type { Channel } from "./wire/channel.ts";
import { type HandshakeOptions, shakeHands } from "./wire/handshake.ts";
import { Peer } from "./wire/peer.ts";

/** A stdio server that has not answered the question about eras by then is taken to be of the legacy one. */
const PROBE_MS = 3_000;
/** Timers cannot wait longer; they would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

export interface OpenContext {
  readonly ports: Ports;
  readonly environment: Environment;
  readonly redactor: Redactor;
  /** For each process that is started: where what it says beside the protocol is kept. */
  openLog?(): RunLog;
  /** What servers may ask of us. */
  readonly handlers: QuestionHandlers;
  /** How much servers are asked to log. */
  readonly logLevel: ServerLogLevel | undefined;
  /** The era that this launch was of when it last worked. */
  lastEra(): Promise<Era | undefined>;
  onEra(era: Era): void;
  onLog(line: ServerLogLine): void;
  /** Fires when there is no more time to connect. */
  readonly late: AbortSignal;
  /** Told when a server asked for a person and there was nobody to ask. */
  onUnanswered(): void;
  /** Signs the person in to remote servers. */
  readonly authorizer?: Authorizer | undefined;
}

/** Starts or reaches a server and shakes hands. Rejects with a `HostError`; leaves nothing running when it does. */
export async function openConnection(
  server: ResolvedServer,
  { started, ...context }: OpenContext & { readonly started?: Promise<RunningProcess> | undefined },
  signal: AbortSignal,
): Promise<Connection> {
  let early = started;
  const failures: HostError[] = [];
  const lastEra = await context.lastEra();
  for (const candidate of candidates(server, lastEra)) {
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
  throw theOneThatMatters(failures);
}

/** One way to try a connection. */
interface Candidate {
  readonly transport: ResolvedLaunch["transport"];
  /** As in a config entry: `auto`, `legacy`, or the one revision that will do. */
  readonly protocol: string;
  /** Is the next way worth trying after such a failure? */
  isWorthAnother(error: HostError): boolean;
}

/**
 * What the config calls it comes first; servers of the two HTTP kinds are mistaken for each other all the time. Some stdio
 * servers of the legacy era end at the question about eras, so that one that ends is started once more without it. A server
 * that is remembered as legacy is not asked; should that fail, it is asked after all.
 */
function candidates({ launch, protocol }: ResolvedServer, lastEra: Era | undefined): readonly Candidate[] {
  const { transport } = launch;
  const isOpen = protocol === "auto";
  const isLegacy = protocol === "legacy" || LEGACY_VERSIONS.includes(protocol);
  if (transport === "stdio") {
    const after =
      (...codes: readonly HostErrorCode[]) =>
      ({ code }: HostError): boolean =>
        codes.includes(code);
    const asked: Candidate = { transport, protocol: "auto", isWorthAnother: after("CONNECT_EXITED") };
    const unasked: Candidate = {
      transport,
      protocol: "legacy",
      isWorthAnother: after("CONNECT_EXITED", "CONNECT_FAILED"),
    };
    if (!isOpen) return [{ ...asked, protocol }];
    return lastEra === "legacy" ? [unasked, asked] : [asked, unasked];
  }
  const http: Candidate = { transport: "http", protocol, isWorthAnother: isWorthTheOtherKind };
  const sse: Candidate = {
    transport: "sse",
    protocol: isLegacy ? protocol : "legacy",
    isWorthAnother: isWorthTheOtherKind,
  };
  if (!isOpen && !isLegacy) return [http]; // the modern era has no SSE transport
  const remembersLegacy = isOpen && lastEra === "legacy";
  const first = remembersLegacy ? { ...http, protocol: "legacy" } : http;
  const pair = transport === "http" ? [first, sse] : [sse, first];
  return remembersLegacy ? [...pair, http] : pair;
}

/** What an attempt may depend on beside the server. */
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
  const { ports, redactor, handlers, late } = context;
  const { launch } = server;
  if (launch.transport !== "stdio" && !isWebAddress(launch.url)) throw invalidUrl(server, launch.url);
  const channel = createChannel(launch, transport, { ...context, started });
  const stdio = channel instanceof StdioChannel ? channel : undefined;
  const peer = new Peer(channel, ports.clock);
  const answerer = new Answerer({
    server: server.name,
    handlers,
    clock: ports.clock,
    log: ports.log,
    mask: () => redactor.longMask(),
    onUnanswered: context.onUnanswered,
  });
  peer.onHandlerError = (error) =>
    ports.log.log("error", "message.failed", { server: server.name, error: messageOf(error) });
  peer.mayAsk = answerer.mayAsk;
  peer.onRequest = answerer.answerAllowed;
  const handshake: HandshakeOptions = {
    identity: { name: "plugboard", version: VERSION, capabilities: announce(handlers) },
    protocol,
    timeoutMs: server.startupTimeoutMs,
    probeMs: lastEra === "modern" ? server.startupTimeoutMs : PROBE_MS,
  };
  // A package runner may install first; the time for all of it is limited by `late`.
  const longestMs = Math.min(server.startupTimeoutMs + server.installTimeoutMs, LONGEST_MS);
  const firstHandshake =
    stdio === undefined
      ? handshake
      : { ...handshake, timeoutMs: longestMs, probeMs: lastEra === "modern" ? longestMs : PROBE_MS };
  try {
    const either = AbortSignal.any([signal, late]);
    // Also where it is called off already: the program may be running, and only a channel that has it can end it.
    const agreed = peer.start().then(() => shakeHands(peer, channel, firstHandshake));
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
      logs: new LogNotices({
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
      ? timedOut(server, redactor, stdio)
      : toConnectError(error, { server, redactor, stdio });
  }
}

/** The values that were filled in may have changed the scheme. */
function isWebAddress(url: string): boolean {
  return URL.canParse(url) && isWebUrl(new URL(url));
}

function createChannel(
  launch: ResolvedLaunch,
  transport: ResolvedLaunch["transport"],
  { ports, environment, openLog, authorizer, started }: OpenContext & Pick<Circumstances, "started">,
): Channel {
  if (launch.transport === "stdio")
    return new StdioChannel(launch, { ports, environment, log: openLog?.(), started });
  const headers = Object.fromEntries(
    [...launch.headers].map(([name, value]) => [name.toLowerCase(), value.reveal()]),
  );
  const url = new URL(launch.url);
  const http = authorizer === undefined ? ports.http : authorizedHttp(ports.http, url, authorizer);
  const options = { http, clock: ports.clock, url, headers };
  return transport === "sse" ? new SseChannel(options) : new HttpChannel(options);
}
