import { randomUUID } from "node:crypto";
import { createClientPipe, type GatewayLink, type WantedOffer } from "./daemon/index.ts";
import type { DaemonControl } from "./find-daemon.lazy.ts";
import type { HostOptions } from "./host-api.ts";
import { openServing } from "./open-serving.ts";

export interface ServePipeOptions {
  /** The user's daemon; `undefined` if everything must run in this process. */
  readonly daemon: DaemonControl | undefined;
  readonly cwd: string;
  readonly offer: WantedOffer;
  /** The options for a gateway in this process. */
  readonly hostOptions: HostOptions;
  /** The lines that the client sends. */
  readonly lines: AsyncIterable<string>;
  /** Sends a line to the client. */
  write(line: string): void;
  /** Called once if the daemon cannot be used, with the reason. */
  onFallback(why: unknown): void;
}

/**
 * Serves one client on a pipe, through the daemon if there is one. If the daemon ends, continues with another one, or in this process
 * if the user stopped it.
 */
export async function servePipe(options: ServePipeOptions): Promise<void> {
  const { daemon, lines, write } = options;
  const client = randomUUID();
  const own = ownGateway(options, client);
  const connect = async (reason: string | undefined): Promise<GatewayLink> =>
    (await connectToDaemon(daemon, { ...options, client }, reason)) ?? own.open();
  const pipe = createClientPipe({ write, connect });
  const passAll = async (): Promise<void> => {
    for await (const line of lines) pipe.receive(line);
  };
  try {
    await Promise.race([Promise.all([pipe.opened, passAll()]), pipe.failed]);
  } finally {
    await pipe.close();
    await own.close();
  }
}

async function connectToDaemon(
  daemon: DaemonControl | undefined,
  { cwd, offer, client, onFallback }: ServePipeOptions & { readonly client: string },
  reason: string | undefined,
): Promise<GatewayLink | undefined> {
  if (daemon === undefined || reason === "stopped") return undefined;
  const open = async (): Promise<GatewayLink | undefined> =>
    (await daemon.connect({ kind: "mcp", offer, client }, cwd))?.socket;
  try {
    const running = await open();
    if (running !== undefined || (await daemon.whyNotAutomatic()) !== undefined) return running;
    await daemon.start();
    return await open();
  } catch (error) {
    onFallback(error);
    return undefined;
  }
}

/** A gateway in this process, opened when it is needed. */
function ownGateway(
  { hostOptions, offer }: ServePipeOptions,
  id: string,
): {
  open(): Promise<GatewayLink>;
  close(): Promise<void>;
} {
  let opening: ReturnType<typeof openServing> | undefined;
  return {
    async open() {
      opening ??= openServing(hostOptions, offer);
      const { serving } = await opening;
      let listener: (line: string) => void = () => {};
      let end = (): void => {};
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      const client = serving.serveStdio((text) => listener(text.trimEnd()), offer, { id });
      return {
        ended,
        send: (line) => client.receive(line),
        onLine(next) {
          listener = next;
        },
        close: () => void client.end().finally(end),
      };
    },
    async close() {
      await opening?.then((opened) => opened.close()).catch(() => {});
    },
  };
}
