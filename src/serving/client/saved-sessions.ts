import { isJsonObject, isList, type JsonObject } from "../../model/index.ts";
import { createSessionFiles } from "../../state/index.ts";
import type { Client, ClientFacts } from "../client-request.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { clientInfo } from "./client-messages.ts";
import { createSessionIds, type SessionIds } from "./session-id.ts";

/** A session that is used gets a new date this often. */
const TOUCH_MS = 60_000;

/** What a new process must know of a session. */
export interface SessionState {
  readonly facts: ClientFacts;
  readonly logLevel: string | undefined;
  /** The addresses that the client subscribed to. */
  readonly subscriptions: readonly string[];
}

/** Sessions of legacy clients on disk. They outlive the process, so that a client does not notice a restart. */
export class SavedSessions {
  readonly ids: SessionIds;
  readonly #files: ReturnType<typeof createSessionFiles>;
  readonly #context: GatewayContext;
  /** Writes of one session, in order. */
  readonly #writes = new Map<string, Promise<void>>();
  readonly #savedAt = new Map<string, number>();

  private constructor(context: GatewayContext, ids: SessionIds) {
    this.#context = context;
    this.#files = filesOf(context);
    this.ids = ids;
  }

  /** Without a folder that can be written to, sessions end with the process. */
  static async open(context: GatewayContext): Promise<SavedSessions> {
    const key = await filesOf(context)
      .key()
      .catch(() => undefined);
    const saved = new SavedSessions(context, createSessionIds(key));
    const { limits, workspace } = context;
    const before = workspace.ports.clock.now() - limits.idleSessionMs;
    void saved.#files.removeOld(before, limits.sessions).catch(() => {});
    return saved;
  }

  /** Saves what has changed. */
  save(place: string, { id, logLevel }: Client, facts: ClientFacts): Promise<void> {
    this.#savedAt.set(id, this.#context.workspace.ports.clock.now());
    const { version, capabilities, info: { name, version: clientVersion } = {} } = facts;
    const state: JsonObject = {
      version,
      capabilities,
      info: {
        ...(name !== undefined && { name }),
        ...(clientVersion !== undefined && { version: clientVersion }),
      },
      ...(logLevel !== undefined && { logLevel }),
      subscriptions: [...this.#context.subscriptions.addressesOf(id)],
    };
    return this.#inOrder(id, () => this.#files.save(id, { place, state }));
  }

  /** Saves a session that is used if that was long ago, so that it does not count as unused. */
  touch(place: string, client: Client, facts: ClientFacts): void {
    const now = this.#context.workspace.ports.clock.now();
    if (now - (this.#savedAt.get(client.id) ?? 0) >= TOUCH_MS) void this.save(place, client, facts);
  }

  /** Returns a session that an earlier process had at this place. */
  async find(place: string, id: string): Promise<SessionState | undefined> {
    const found = await this.#files.find(id);
    if (found === undefined || found.place !== place) return undefined;
    const { version, capabilities, info, logLevel, subscriptions } = found.state;
    if (typeof version !== "string" || !isJsonObject(capabilities)) return undefined;
    return {
      facts: { era: "legacy", version, capabilities, info: clientInfo(info) },
      logLevel: typeof logLevel === "string" ? logLevel : undefined,
      subscriptions: isList(subscriptions) ? subscriptions.filter((uri) => typeof uri === "string") : [],
    };
  }

  /** Forgets a session that has ended. */
  remove(id: string): Promise<void> {
    this.#savedAt.delete(id);
    return this.#inOrder(id, () => this.#files.remove(id));
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    await Promise.all(this.#writes.values());
  }

  #inOrder(id: string, write: () => Promise<void>): Promise<void> {
    const writing = (this.#writes.get(id) ?? Promise.resolve())
      .then(write)
      .catch(() => {}) // the session then ends with this process
      .finally(() => {
        if (this.#writes.get(id) === writing) this.#writes.delete(id);
      });
    this.#writes.set(id, writing);
    return writing;
  }
}

function filesOf({ workspace: { ports, places } }: GatewayContext): ReturnType<typeof createSessionFiles> {
  return createSessionFiles(ports, places);
}
