import { randomUUID } from "node:crypto";
import { type Era, isJsonObject, type JsonObject, type JsonValue, type Redactor } from "../../model/index.ts";
import { taskLifetime } from "../../operations/index.ts";
import type { Clock } from "../../platform/index.ts";
import type { Client, ClientRequest } from "../client-request.ts";
import { maskNotification } from "../eras/mask-for-client.ts";
import { INVALID_PARAMS, MISSING_CAPABILITY, ownError, RpcError } from "../rpc-error.ts";
import type { UpstreamScope } from "../upstream/upstreams.ts";
import type { SavedClientTasks } from "./saved-client-tasks.ts";
import { wantsTask } from "./upstream-params.ts";

export const TASKS = "io.modelcontextprotocol/tasks";
const RELATED = "io.modelcontextprotocol/related-task";
const MOST_PER_CLIENT = 1_000;
const LONGEST_ID = 10_000;
const LONGEST_MESSAGE = 1_000;

/** A task of a server, as its client knows it. */
export interface ClientTask {
  /** The id that the client sees. */
  readonly id: string;
  /** The server's own id. */
  readonly upstreamId: string;
  readonly client: Client;
  readonly scope: UpstreamScope;
  readonly server: string;
  /** The server's own name of the tool that was called. */
  readonly tool: string;
  readonly until: number;
  /** The known facts about a legacy task. */
  known: JsonObject;
}

/** The tasks of clients. Each belongs to the client whose call created it. */
export class ClientTasks {
  readonly #clock: Clock;
  readonly #redactor: Redactor;
  readonly #saved: SavedClientTasks | undefined;
  /** This gateway, if there are several. */
  readonly #node: string | undefined;
  readonly #tasks = new Map<string, ClientTask>();
  /** The clients whose tasks of an earlier process were looked for. */
  readonly #restored = new WeakMap<Client, Promise<void>>();

  constructor(clock: Clock, redactor: Redactor, saved?: SavedClientTasks, node?: string) {
    this.#clock = clock;
    this.#redactor = redactor;
    this.#saved = saved;
    this.#node = node;
  }

  /** Records the task that a call created, before the client receives it. Resolves with the result with the client's id. */
  async created(
    request: ClientRequest,
    { scope, server, tool }: Pick<ClientTask, "scope" | "server" | "tool">,
    result: JsonObject,
  ): Promise<JsonObject> {
    if (!isTask(request, result)) return result;
    const { task: nested } = result;
    const task = isJsonObject(nested) && request.era === "legacy" ? nested : result;
    const upstreamId = task["taskId"];
    if (typeof upstreamId !== "string" || upstreamId.length > LONGEST_ID)
      throw ownError("failed", `"${server}" created a task without a valid id.`);
    this.#makeRoom(request.client);
    const until = this.#clock.now() + taskLifetime(task["ttl"] ?? task["ttlMs"]);
    const id = this.#node === undefined ? randomUUID() : `${randomUUID()}.${this.#node}`;
    const { client } = request;
    const created: ClientTask = { id, upstreamId, client, scope, server, tool, until, known: {} };
    this.#tasks.set(id, created);
    const shown = this.learn(created, task);
    await this.#saved?.create(id, { client: client.id, tool, upstreamId, server }, created);
    return task === result ? shown : { ...result, task: shown };
  }

  /** Finds the tasks that a client created with an earlier process. `scopeOf` returns the connections to a server. */
  async restore(client: Client, scopeOf: (server: string) => UpstreamScope | undefined): Promise<void> {
    const isShared = this.#node !== undefined; // another gateway may have added some
    const restoring = (isShared ? undefined : this.#restored.get(client)) ?? this.#restore(client, scopeOf);
    this.#restored.set(client, restoring);
    await restoring;
  }

  async #restore(client: Client, scopeOf: (server: string) => UpstreamScope | undefined): Promise<void> {
    for (const { id, taskId, server, tool, expiresAt, known = {} } of (await this.#saved?.of(client.id)) ??
      []) {
      const scope = this.#tasks.has(id) ? undefined : scopeOf(server);
      if (scope === undefined) continue;
      this.#tasks.set(id, { id, upstreamId: taskId, client, scope, server, tool, until: expiresAt, known });
    }
  }

  /** Forgets a task on disk, because its client has the result or cancelled it. */
  delivered({ id }: ClientTask): void {
    void this.#saved?.remove(id);
  }

  /** Returns a task of this client. Throws the same error for unknown tasks and for other clients' tasks. */
  find({ id: client }: Client, id: JsonValue | undefined): ClientTask {
    const task = typeof id === "string" ? this.#tasks.get(id) : undefined;
    if (task === undefined || task.client.id !== client || task.until < this.#clock.now())
      throw unknownTask();
    return task;
  }

  /** Returns the tasks of a client, the oldest first. */
  of({ id: client }: Client): ClientTask[] {
    const now = this.#clock.now();
    return Array.from(this.#tasks.values()).filter((task) => task.client.id === client && task.until >= now);
  }

  /** Passes a legacy server's notification about a task on to the client that it belongs to. */
  relayStatus(scope: UpstreamScope, server: string, params: JsonObject): void {
    for (const task of this.#tasks.values()) {
      if (task.scope !== scope || task.server !== server || task.upstreamId !== params["taskId"]) continue;
      task.client.notify("notifications/tasks/status", this.learn(task, params));
      return;
    }
  }

  /** Stores a task's status from its server, and returns it with the client's id and masked secrets. */
  learn(task: ClientTask, { result, inputRequests, ...said }: JsonObject): JsonObject {
    const status = { ...maskNotification(this.#redactor, said), taskId: task.id };
    task.known = knownOf(task.id, { ...task.known, ...status });
    return {
      ...status,
      ...(inputRequests !== undefined && { inputRequests }),
      ...(result !== undefined && { result }),
    };
  }

  /** Forgets the tasks of a client that has ended. */
  end(client: Client): void {
    for (const { id } of this.of(client)) this.#tasks.delete(id);
  }

  #makeRoom(client: Client): void {
    const now = this.#clock.now();
    for (const [id, { until }] of this.#tasks) if (until < now) this.#tasks.delete(id);
    const [oldest, ...others] = this.of(client);
    if (oldest !== undefined && others.length + 1 >= MOST_PER_CLIENT) this.#tasks.delete(oldest.id);
  }
}

export function unknownTask(): RpcError {
  return new RpcError(INVALID_PARAMS, "Unknown task.");
}

/** Returns whether the result of a call is a task that the client can follow itself. */
export function isTask(request: ClientRequest, result: JsonObject): boolean {
  if (request.era === "legacy") return wantsTask(request) && isJsonObject(result["task"]);
  return request.method === "tools/call" && result["resultType"] === "task" && knowsTasks(request);
}

/** Returns the eras whose tasks the gateway follows to their end, because the client cannot. */
export function followedTasks(request: ClientRequest): readonly Era[] {
  if (request.era === "modern") return knowsTasks(request) ? ["legacy"] : ["legacy", "modern"];
  return wantsTask(request) ? [] : ["legacy", "modern"];
}

/** Throws an `RpcError` if a modern client did not announce the tasks extension. */
export function requireTasks(request: ClientRequest): void {
  if (request.era === "legacy" || knowsTasks(request)) return;
  throw new RpcError(MISSING_CAPABILITY, "The client must support tasks for this request.", {
    requiredCapabilities: { extensions: { [TASKS]: {} } },
  });
}

function knowsTasks({ capabilities: { extensions } }: Pick<ClientRequest, "capabilities">): boolean {
  return isJsonObject(extensions) && isJsonObject(extensions[TASKS]);
}

/** Returns a message with another id of the task that its `_meta` refers to. */
export function withRelatedTask(message: JsonObject, from: string, to: string): JsonObject {
  const { _meta: meta } = message;
  const related = isJsonObject(meta) ? meta[RELATED] : undefined;
  if (!isJsonObject(meta) || !isJsonObject(related) || related["taskId"] !== from) return message;
  return { ...message, _meta: { ...meta, [RELATED]: { ...related, taskId: to } } };
}

const FIELDS = ["status", "statusMessage", "createdAt", "lastUpdatedAt", "ttl", "pollInterval"];

/** Only the fields that a list contains are kept. */
function knownOf(id: string, task: JsonObject): JsonObject {
  const fields = FIELDS.flatMap((name) => {
    const value = task[name];
    const short = typeof value === "string" ? value.slice(0, LONGEST_MESSAGE) : value;
    return short === undefined || isJsonObject(short) || Array.isArray(short) ? [] : [[name, short] as const];
  });
  return { taskId: id, ...Object.fromEntries(fields) };
}
