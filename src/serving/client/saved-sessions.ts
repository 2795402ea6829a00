import { randomBytes } from "node:crypto";
import { isJsonObject, isList, type JsonObject } from "../../model/index.ts";
import { createSessionFiles } from "../../state/index.ts";
import type { Client, ClientFacts } from "../client-request.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { clientInfo } from "./client-messages.ts";
import { createSessionIds, type SessionIds } from "./session-id.ts";

type SessionFiles = ReturnType<typeof createSessionFiles>;

/** A session that is used gets a new date this often. */
const TOUCH_MS = 60_000;

/** The part of a session that a new process needs. */
export interface SessionState {
  readonly facts: ClientFacts;
  readonly logLevel: string | undefined;
  /** The addresses that the client subscribed to. */
  readonly subscriptions: readonly string[];
}

/** Stores legacy clients' sessions outside of memory. */
export type SessionRecords = Pick<
  SavedSessions,
  "ids" | "save" | "touch" | "find" | "remove" | "leave" | "settled"
>;

/** Returns the part of a session that is stored. */
export function stateOf(
  { subscriptions }: Pick<GatewayContext, "subscriptions">,
  client: Client,
  { version, capabilities, info: { name, version: clientVersion } = {} }: ClientFacts,
): JsonObject {
  return {
    version,
    capabilities,
    info: {
      ...(name !== undefined && { name }),
      ...(clientVersion !== undefined && { version: clientVersion }),
    },
    ...(client.logLevel !== undefined && { logLevel: client.logLevel }),
    subscriptions: [...subscriptions.addressesOf(client)],
  };
}

/** Reads a stored session. Returns `undefined` if it is not valid. */
export function toSessionState({
  version,
  capabilities,
  info,
  logLevel,
  subscriptions,
}: JsonObject): SessionState | undefined {
  if (typeof version !== "string" || !isJsonObject(capabilities)) return undefined;
  return {
    facts: { era: "legacy", version, capabilities, info: clientInfo(info) },
    logLevel: typeof logLevel === "string" ? logLevel : undefined,
    subscriptions: isList(subscriptions) ? subscriptions.filter((uri) => typeof uri === "string") : [],
  };
}

/** Sessions of legacy clients on disk. They outlive the process, so that a client does not notice a restart. */
export class SavedSessions {
  readonly ids: SessionIds;
  readonly #files: SessionFiles | undefined;
  readonly #context: GatewayContext;
  /** Writes of one session, in order. */
  readonly #writes = new Map<string, Promise<void>>();
  readonly #savedAt = new Map<string, number>();

  private constructor(context: GatewayContext, ids: SessionIds, files?: SessionFiles) {
    this.#context = context;
    this.#files = files;
    this.ids = ids;
  }

  /** Returns sessions that end with the process. */
  static unsaved(context: GatewayContext): SavedSessions {
    const key = randomBytes(32);
    return new SavedSessions(
      context,
      createSessionIds(() => [key]),
    );
  }

  /** Without a folder that can be written to, sessions end with the process. */
  static async open(context: GatewayContext): Promise<SavedSessions> {
    const { limits, workspace } = context;
    const files = createSessionFiles(workspace.ports, workspace.places);
    const key = (await files.key().catch(() => undefined)) ?? randomBytes(32);
    const before = workspace.ports.clock.now() - limits.idleSessionMs;
    void files.removeOld(before, limits.sessions).catch(() => {});
    return new SavedSessions(
      context,
      createSessionIds(() => [key]),
      files,
    );
  }

  /** Saves the changes. */
  async save(place: string, client: Client, facts: ClientFacts): Promise<void> {
    const { id } = client;
    const files = this.#files;
    if (files === undefined) return;
    this.#savedAt.set(id, this.#context.workspace.ports.clock.now());
    const state = stateOf(this.#context, client, facts);
    return this.#inOrder(id, () => files.save(id, { place, state }));
  }

  /** Saves a session that is used if that was long ago, so that it does not count as unused. */
  touch(place: string, client: Client, facts: ClientFacts): void {
    const now = this.#context.workspace.ports.clock.now();
    if (now - (this.#savedAt.get(client.id) ?? 0) >= TOUCH_MS) void this.save(place, client, facts);
  }

  /** Returns a session that an earlier process had at this place. */
  async find(place: string, id: string): Promise<SessionState | undefined> {
    const found = await this.#files?.find(id);
    if (found === undefined || found.place !== place) return undefined;
    return toSessionState(found.state);
  }

  /** Forgets a session that has ended. */
  remove(id: string): Promise<void> {
    this.#savedAt.delete(id);
    return this.#inOrder(id, async () => this.#files?.remove(id));
  }

  /** Forgets what is in memory about a session that another process may continue. */
  leave(id: string): void {
    this.#savedAt.delete(id);
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
