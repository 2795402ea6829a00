import { createHash } from "node:crypto";
import { isJsonObject, type JsonObject } from "../../model/index.ts";
import { catalogSubject, type Workspace } from "../../operations/index.ts";
import type { SavedTask } from "../../state/index.ts";
import type { ServingCluster, SharedTasks } from "../cluster/serving-cluster.ts";

/** The tasks of a gateway's clients on disk, so that another process can continue them. */
export class SavedClientTasks {
  readonly #workspace: Workspace;
  readonly #shared: SharedTasks | undefined;

  constructor(workspace: Workspace, cluster?: Pick<ServingCluster, "tasks">) {
    this.#workspace = workspace;
    this.#shared = cluster?.tasks;
  }

  /** Saves a task before its client learns about it. If that fails, the task ends with this process. */
  async create(
    id: string,
    task: {
      readonly client: string;
      readonly tool: string;
      readonly upstreamId: string;
      readonly server: string;
    },
    { until, known }: { readonly until: number; readonly known: JsonObject },
  ): Promise<void> {
    const { inventory, stores, ports } = this.#workspace;
    const server = inventory().servers.get(task.server);
    if (server === undefined) return;
    const saved = {
      taskId: task.upstreamId,
      server: task.server,
      fingerprint: catalogSubject(server).fingerprint,
      tool: task.tool,
      createdAt: ports.clock.now(),
      expiresAt: until,
      process: { pid: ports.processes.ownPid, place: ports.processes.place ?? "" },
      client: hashOf(task.client),
      known,
    };
    const state = JSON.parse(JSON.stringify(saved)) as JsonObject;
    const create = this.#shared?.create({ id, server: task.server, state, expiresAt: until });
    await (create ?? stores.tasks.create(saved, id)).catch(() => {});
  }

  /** Returns the tasks that a client created with an earlier process, if their servers are still the same. */
  async of(client: string): Promise<readonly SavedTask[]> {
    const { inventory } = this.#workspace;
    const hash = hashOf(client);
    return (await this.#list()).filter((task) => {
      const server = inventory().servers.get(task.server);
      return (
        task.client === hash &&
        server !== undefined &&
        catalogSubject(server).fingerprint === task.fingerprint
      );
    });
  }

  /** Forgets a task whose result was delivered, or that was cancelled. */
  async remove(id: string): Promise<void> {
    await (this.#shared ?? this.#workspace.stores.tasks).remove(id).catch(() => {});
  }

  async #list(): Promise<readonly SavedTask[]> {
    if (this.#shared === undefined) return this.#workspace.stores.tasks.list();
    const rows = await this.#shared.list().catch(() => []);
    return rows.flatMap(({ id, state }) =>
      isJsonObject(state) ? [{ ...(state as unknown as SavedTask), id }] : [],
    );
  }
}

/** The id of a session is as good as a password, so it is not stored. */
function hashOf(client: string): string {
  return createHash("sha256").update(client).digest("hex");
}
