import type { TaskJournal } from "../../connection/index.ts";
import { messageOf, type Server } from "../../model/index.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";

const USUAL_TTL_MS = 86_400_000;
const LONGEST_TTL_MS = 7 * USUAL_TTL_MS;

/** Returns how long a task is remembered, if its server says how long it keeps the result. */
export function taskLifetime(ttl: unknown): number {
  return typeof ttl === "number" && ttl > 0 ? Math.min(ttl, LONGEST_TTL_MS) : USUAL_TTL_MS;
}

/** Remembers the tasks of one server's calls until they end. A folder that cannot be written to does not fail a call. */
export function journalFor(
  { stores: { tasks }, ports }: Workspace,
  server: Server,
  account: string | undefined,
): TaskJournal {
  return async ({ taskId, tool, ttl }) => {
    const createdAt = ports.clock.now();
    const logFailure = (error: unknown): void =>
      ports.log.log("warn", "task.unsaved", { server: server.name, error: messageOf(error) });
    const id = await tasks
      .create({
        taskId,
        server: server.name,
        fingerprint: catalogSubject(server).fingerprint,
        ...(account !== undefined && { account }),
        tool,
        createdAt,
        expiresAt: createdAt + taskLifetime(ttl),
        process: { pid: ports.processes.ownPid, place: ports.processes.place ?? "" },
      })
      .catch(logFailure);
    return async () => {
      if (id !== undefined) await tasks.remove(id).catch(logFailure);
    };
  };
}
