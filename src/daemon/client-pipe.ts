import { isJsonObject, type JsonObject, type JsonValue } from "../model/index.ts";
import { parseMessage } from "./daemon-messages.ts";

/** A conversation with a gateway: in the daemon, or in this process. */
export interface GatewayLink {
  send(line: string): void;
  onLine(listener: (line: string) => void): void;
  /** Resolves when the gateway has exited. Never rejects. */
  readonly ended: Promise<void>;
  close(): void;
}

export interface ClientPipeOptions {
  /** Sends a line to the client. */
  write(line: string): void;
  /** Opens a conversation. `reason` says why the last one ended: `lost`, or the gateway's reason. */
  connect(reason: string | undefined): Promise<GatewayLink>;
}

/** A pipe between one client and a gateway that may be replaced. */
export interface ClientPipe {
  /** Handles one line from the client. */
  receive(line: string): void;
  /** Resolves when the first gateway is connected. */
  readonly opened: Promise<void>;
  /** Rejects if no gateway can be opened. */
  readonly failed: Promise<never>;
  /** Resolves when all received messages are forwarded, and ends the conversation. */
  close(): Promise<void>;
}

type Id = string | number;

/** A request of the client that has no answer yet. */
interface OpenRequest {
  readonly line: string;
  readonly method: string;
  /** Whether it was sent to a gateway. */
  isSent: boolean;
  /** Whether the gateway allows the call to be sent twice. */
  isRepeatable: boolean;
}

/** Requests that change nothing at the server are sent again to the next gateway. */
const SAFE =
  /^(?:initialize|ping|server\/discover|(?:tools|prompts|resources|resources\/templates|tasks)\/list|resources\/read|prompts\/get|completion\/complete|subscriptions\/listen|logging\/setLevel|resources\/(?:un)?subscribe|tasks\/(?:get|result))$/;
const INTERNAL_ERROR = -32603;
/** How many messages may wait for the next gateway. */
const MOST_WAITING = 1_000;
const MESSAGES = {
  interrupted: "The call was interrupted. It may have been done in part.",
  busy: "Too many messages are waiting for the gateway. Try again later.",
};
const LISTS = ["tools", "prompts", "resources"];

/**
 * Forwards messages between a client and a gateway. If the gateway ends, connects to another one and restores the state there, so that
 * at most a call fails for the client.
 */
export function createClientPipe({ write, connect }: ClientPipeOptions): ClientPipe {
  const open = new Map<Id, OpenRequest>();
  /** The state to restore in the next gateway: the handshake, the log level, the subscriptions. */
  let handshake: JsonObject | undefined;
  let isInitialized = false;
  let level: JsonObject | undefined;
  const subscriptions = new Map<string, JsonObject>();
  /** The ids of Plugboard's own requests to the gateway. Their responses are not forwarded to the client. */
  const own = new Map<string, () => void>();
  /** The gateway's requests that the client has not answered. */
  const asked = new Set<Id>();
  const waiting: string[] = [];
  let link: GatewayLink | undefined;
  let ending: string | undefined;
  let count = 0;
  let isClosed = false;

  const request = (to: GatewayLink, method: string, params: JsonObject): Promise<void> =>
    new Promise((resolve) => {
      count += 1;
      const id = `plugboard-pipe-${count}`;
      own.set(id, resolve);
      to.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      void to.ended.then(resolve);
    });

  /** Restores the earlier gateway's state in the new one. */
  const restore = async (to: GatewayLink): Promise<void> => {
    if (handshake !== undefined && isInitialized) {
      await request(to, "initialize", handshake);
      to.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
      if (level !== undefined) await request(to, "logging/setLevel", level);
      for (const params of subscriptions.values()) await request(to, "resources/subscribe", params);
    }
    for (const [id, request] of open) {
      if (!request.isSent) continue;
      if (SAFE.test(request.method) || request.isRepeatable) {
        request.isRepeatable = false; // at most once more
        to.send(request.line);
        continue;
      }
      open.delete(id);
      write(JSON.stringify(errorFor(id, "interrupted")));
    }
    if (isInitialized)
      for (const kind of LISTS)
        write(JSON.stringify({ jsonrpc: "2.0", method: `notifications/${kind}/list_changed` }));
  };

  const fromGateway = (line: string): void => {
    const message = parseMessage(line);
    if (message === undefined) return;
    const { id, method, params } = message;
    if (method === "plugboard/ending") {
      const { reason } = isJsonObject(params) ? params : {};
      ending = typeof reason === "string" ? reason : "stopped";
      leaveIfIdle();
      return;
    }
    if (method === "plugboard/repeatable") {
      const { requestId } = isJsonObject(params) ? params : {};
      const found = isId(requestId) ? open.get(requestId) : undefined;
      if (found !== undefined) found.isRepeatable = true;
      return;
    }
    if (method !== undefined) {
      if (isId(id)) asked.add(id);
      return write(line);
    }
    const answered = typeof id === "string" ? own.get(id) : undefined;
    if (answered !== undefined) {
      own.delete(String(id));
      return answered();
    }
    if (isId(id) && !open.delete(id)) return; // already answered, for example as interrupted
    write(line);
    leaveIfIdle();
  };

  /** Ends a conversation whose gateway is ending, as soon as no request is unanswered. */
  const leaveIfIdle = (): void => {
    const isBusy = [...open.values()].some(
      ({ isSent, method }) => isSent && method !== "subscriptions/listen",
    );
    if (ending !== undefined && !isBusy) link?.close();
  };

  const start = async (reason: string | undefined): Promise<void> => {
    const next = await connect(reason);
    if (isClosed) return next.close();
    next.onLine(fromGateway);
    asked.clear();
    if (reason !== undefined) await restore(next);
    link = next;
    for (const line of waiting.splice(0)) sendTo(next, line);
    void next.ended.then(() => {
      if (isClosed || link !== next) return;
      link = undefined;
      own.clear();
      const why = ending ?? "lost";
      ending = undefined;
      start(why).catch(fail);
    });
  };

  const sendTo = (to: GatewayLink, line: string): void => {
    const { id } = parseMessage(line) ?? {};
    const request = isId(id) ? open.get(id) : undefined;
    if (request !== undefined) request.isSent = true;
    to.send(line);
  };

  const remember = ({ id, method, params: given }: JsonObject, line: string): void => {
    const params = isJsonObject(given) ? given : {};
    if (method === "notifications/initialized") isInitialized = true;
    // A cancelled request gets no answer.
    if (method === "notifications/cancelled" && isId(params["requestId"])) open.delete(params["requestId"]);
    if (typeof method !== "string" || !isId(id)) return;
    open.set(id, { line, method, isSent: false, isRepeatable: false });
    const { uri } = params;
    if (method === "initialize") handshake = params;
    else if (method === "logging/setLevel") level = params;
    else if (method === "resources/subscribe" && typeof uri === "string") subscriptions.set(uri, params);
    else if (method === "resources/unsubscribe" && typeof uri === "string") subscriptions.delete(uri);
  };

  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  const started = start(undefined);
  started.catch(fail);
  return {
    opened: started,
    failed,
    receive(line) {
      const message = parseMessage(line);
      if (message !== undefined) {
        const { id, method } = message;
        if (method === undefined && isId(id) && !asked.delete(id)) return; // the gateway that asked has exited
        remember(message, line);
      }
      if (link !== undefined && ending === undefined) return sendTo(link, line);
      if (waiting.length < MOST_WAITING) return void waiting.push(line);
      const { id, method } = message ?? {};
      if (method === undefined || !isId(id)) return;
      open.delete(id);
      write(JSON.stringify(errorFor(id, "busy")));
    },
    async close() {
      await started.catch(() => {});
      isClosed = true;
      link?.close();
      await link?.ended;
    },
  };
}

function errorFor(id: Id, reason: keyof typeof MESSAGES): JsonObject {
  return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message: MESSAGES[reason], data: { reason } } };
}

function isId(value: JsonValue | undefined): value is Id {
  return typeof value === "string" || typeof value === "number";
}
