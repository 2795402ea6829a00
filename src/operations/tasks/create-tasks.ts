import type { Connection } from "../../connection/index.ts";
import { HostError, isHostError, type Server, type ToolResult } from "../../model/index.ts";
import type { SavedTask } from "../../state/index.ts";
import type { HostScope } from "../host-scope.ts";
import { onServer, unlessCancelled } from "../lifecycle/on-server.ts";
import { toAgentResult } from "../tools/to-agent-result.ts";
import { assertAllowed, decideName } from "../tools/tool-access.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";
import type { HostTasks, TaskView, WaitForTaskOptions } from "./tasks-api.ts";

export function createTasks({ workspace, whileOpen }: HostScope): HostTasks {
  const { tasks } = workspace.stores;
  return {
    list: (options) =>
      whileOpen(async () => (await tasks.list()).map((task) => toView(workspace, task)), options),
    wait: (id, options = {}) => whileOpen(() => waitForTask(workspace, id, options), options),
    cancel: (id, options = {}) => whileOpen(() => cancelTask(workspace, id, options.signal), options),
  };
}

function toView({ ports: { processes } }: Workspace, task: SavedTask): TaskView {
  const { id, server, tool, account, createdAt, expiresAt, process: follower } = task;
  const { pid, place } = follower;
  const isFollowed = place === (processes.place ?? "") && processes.isAlive(pid);
  return {
    id,
    server,
    tool,
    createdAt,
    expiresAt,
    ...(account !== undefined && { account }),
    ...(isFollowed && { process: pid }),
  };
}

async function waitForTask(
  workspace: Workspace,
  id: string,
  { signal, onProgress, textLimit }: WaitForTaskOptions,
): Promise<ToolResult> {
  return onTask(workspace, id, signal, async (task, server, connection) => {
    assertAllowed(decideName(workspace, server, task.tool, {}), server.name, task.tool);
    const params = { name: task.tool };
    const { timeoutMs } = server;
    const raw = await connection
      .request("tools/call", params, { timeoutMs, signal, onProgress, resumeTask: task.taskId })
      .catch(async (error: unknown) => {
        if (isHostError(error, "REQUEST_REFUSED")) await workspace.stores.tasks.remove(id); // the server does not have it any more
        throw error;
      });
    const result = await toAgentResult(workspace, server, task.tool, raw, {
      ...(textLimit !== undefined && { textLimit }),
      ...(signal && { signal }),
    });
    await workspace.stores.tasks.remove(id);
    return result;
  });
}

async function cancelTask(workspace: Workspace, id: string, signal: AbortSignal | undefined): Promise<void> {
  await onTask(workspace, id, signal, async ({ taskId }, { timeoutMs }, connection) => {
    await connection.request("tasks/cancel", { taskId }, { timeoutMs, signal });
    await workspace.stores.tasks.remove(id);
  });
}

/** Connects to the server of a task, if it is still the same. */
async function onTask<T>(
  workspace: Workspace,
  id: string,
  signal: AbortSignal | undefined,
  run: (task: SavedTask, server: Server, connection: Connection) => Promise<T>,
): Promise<T> {
  const task = await workspace.stores.tasks.find(id);
  if (task === undefined)
    throw new HostError("TASK_UNKNOWN", `There is no unfinished task "${id}".`, {
      hint: "It may have ended, or its server did not keep it.",
    });
  const { server: name, account, fingerprint } = task;
  return onServer(workspace, { server: name, account, signal }, async ({ use, connect }) => {
    const server = await use();
    if (catalogSubject(server).fingerprint !== fingerprint)
      throw new HostError("TASK_UNKNOWN", `"${name}" was changed since the task was started.`, {
        server: name,
        hint: "Undo the change of its entry to get the result.",
      });
    return unlessCancelled(signal, async () => run(task, server, await connect()), name);
  });
}
