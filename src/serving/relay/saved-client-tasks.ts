import { createHash } from "node:crypto";
import type { JsonObject } from "../../model/index.ts";
import { catalogSubject, type Workspace } from "../../operations/index.ts";
import type { SavedTask } from "../../state/index.ts";

/** The tasks of a gateway's clients on disk, so that another process can continue them. */
export class SavedClientTasks {
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Saves a task before its client hears of it. If that fails, the task ends with this process. */
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
    await stores.tasks.create(saved, id).catch(() => {});
  }

  /** Returns the tasks that a client created with an earlier process, if their servers are still the same. */
  async of(client: string): Promise<readonly SavedTask[]> {
    const { inventory, stores } = this.#workspace;
    const hash = hashOf(client);
    return (await stores.tasks.list()).filter((task) => {
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
    await this.#workspace.stores.tasks.remove(id).catch(() => {});
  }
}

/** The id of a session is as good as a password, so it is not stored. */
function hashOf(client: string): string {
  return createHash("sha256").update(client).digest("hex");
}
