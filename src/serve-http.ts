import { parseMessage, type WantedOffer } from "./daemon/index.ts";
import type { DaemonControl, DaemonHttp } from "./find-daemon.lazy.ts";
import type { HostOptions } from "./host-api.ts";
import { codeOf, HostError, isHostError, isJsonObject } from "./model/index.ts";
import { openServing } from "./open-serving.ts";
import { delay } from "./platform/index.ts";
import { nodePorts } from "./platform/node/index.ts";

/** A daemon that ends may keep the port for a moment. */
const PORT_MS = 10_000;
const POLL_MS = 100;

export interface ServeHttpOptions {
  /** The user's daemon; `undefined` if everything must run in this process. */
  readonly daemon: DaemonControl | undefined;
  readonly cwd: string;
  readonly address: { readonly host?: string; readonly port: number };
  readonly offer: WantedOffer;
  /** The options for a gateway in this process. */
  readonly hostOptions: HostOptions;
  readonly signal: AbortSignal;
  /** Called once, when clients can connect. */
  onListening(server: Pick<DaemonHttp, "url" | "tokenFile">): void;
  /** Called if the daemon cannot be used, with the reason. */
  onFallback(why: unknown): void;
}

/** A server that listens, in the daemon or in this process. */
interface Listening {
  readonly url: string;
  readonly tokenFile: string;
  /** Resolves with the reason when it has ended. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

/**
 * Listens for HTTP clients until the signal aborts, through the daemon if there is one. If the daemon ends, another one listens at the same
 * address, or this process. The clients' sessions continue there.
 */
export async function serveHttp(options: ServeHttpOptions): Promise<void> {
  const { signal, onListening } = options;
  let { address } = options;
  let reason: string | undefined;
  while (!signal.aborted) {
    const listening = await listenAgain({ ...options, address }, reason);
    if (reason === undefined) onListening(listening);
    address = { ...address, port: Number(new URL(listening.url).port) };
    const aborted = new Promise<string>((resolve) => {
      if (signal.aborted) resolve("aborted");
      signal.addEventListener("abort", () => resolve("aborted"), { once: true });
    });
    reason = await Promise.race([listening.ended, aborted]);
    await listening.close();
  }
}

/** Listens, and waits for the port if another process had it before. */
async function listenAgain(options: ServeHttpOptions, reason: string | undefined): Promise<Listening> {
  const { clock } = nodePorts();
  const until = clock.now() + PORT_MS;
  for (;;) {
    try {
      return (await listenInDaemon(options, reason)) ?? (await listenHere(options));
    } catch (error) {
      if (!isPortInUse(error)) throw error;
      if (reason === undefined || clock.now() > until) throw portInUse(options.address);
      await delay(clock, POLL_MS, options.signal);
    }
  }
}

async function listenInDaemon(
  { daemon, cwd, offer, address: { host, port }, onFallback }: ServeHttpOptions,
  reason: string | undefined,
): Promise<Listening | undefined> {
  if (daemon === undefined || reason === "stopped") return undefined;
  const connect = () =>
    daemon.connect({ kind: "listen", offer, port, ...(host !== undefined && { host }) }, cwd);
  try {
    let link = await connect();
    if (link === undefined && (await daemon.whyNotAutomatic()) === undefined) {
      await daemon.start();
      link = await connect();
    }
    if (link === undefined) return undefined;
    const { socket, answer } = link;
    let why = "lost";
    socket.onLine((line) => {
      const { params } = parseMessage(line) ?? {};
      if (isJsonObject(params) && typeof params["reason"] === "string") why = params["reason"];
      socket.close(); // the daemon is ending
    });
    return {
      url: String(answer["url"]),
      tokenFile: String(answer["tokenFile"]),
      ended: socket.ended.then(() => why),
      async close() {
        socket.close();
        await socket.ended;
      },
    };
  } catch (error) {
    if (isPortInUse(error) || isHostError(error, "USAGE_INVALID")) throw error;
    onFallback(error);
    return undefined;
  }
}

async function listenHere({ hostOptions, offer, address }: ServeHttpOptions): Promise<Listening> {
  const opened = await openServing(hostOptions, offer);
  try {
    const { url, tokenFile } = await opened.serving.serveHttp(address);
    return { url, tokenFile, ended: new Promise(() => {}), close: () => opened.close() };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function portInUse({ host = "127.0.0.1", port }: ServeHttpOptions["address"]): HostError {
  return new HostError("USAGE_INVALID", `Another program listens on ${host}:${port}.`, {
    hint: "Use another port, or :0 for a free one.",
  });
}

function isPortInUse(error: unknown): boolean {
  return codeOf(error) === "EADDRINUSE" || (isHostError(error) && error.message.includes("EADDRINUSE"));
}
