import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../model/index.ts";
import type { Ports } from "../platform/index.ts";
import type { OwnPaths } from "./own-paths.ts";

const LONGEST = 64 * 1024;
const MOST_LISTED = 10_000;
const TASK_FILE = /^([0-9a-f]{8}-[0-9a-f-]{27})\.json$/;

/** A task of a server that was not finished when it was last seen. */
export interface SavedTask {
  readonly id: string;
  /** The server's own id. */
  readonly taskId: string;
  readonly server: string;
  /** Identifies the server's launch. A task belongs to it. */
  readonly fingerprint: string;
  readonly account?: string;
  readonly tool: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The process that follows it, and its machine. */
  readonly process: { readonly pid: number; readonly place: string };
  /** A hash of the gateway's client that the task belongs to, and what the client knows. */
  readonly client?: string;
  readonly known?: JsonObject;
}

/** Servers' unfinished tasks. They outlive the process that started them. */
export interface TaskFiles {
  /** Resolves with the task's id when it is saved. */
  create(task: Omit<SavedTask, "id">, id?: string): Promise<string>;
  find(id: string): Promise<SavedTask | undefined>;
  /** Returns the tasks that have not expired, the oldest first. */
  list(): Promise<readonly SavedTask[]>;
  remove(id: string): Promise<void>;
}

/** `places`: the folders of one principal. */
export function createTaskFiles(
  { files, clock }: Pick<Ports, "files" | "clock">,
  { state }: Pick<OwnPaths, "state">,
): TaskFiles {
  const folder = join(state, "tasks");
  const fileOf = (id: string): string => join(folder, `${id}.json`);
  const find = async (id: string): Promise<SavedTask | undefined> => {
    if (!TASK_FILE.test(`${id}.json`)) return undefined;
    try {
      const bytes = await files.read(fileOf(id), LONGEST);
      const task = toTask(id, bytes && JSON.parse(new TextDecoder().decode(bytes)));
      return task === undefined || task.expiresAt < clock.now() ? undefined : task;
    } catch {
      return undefined; // another program wrote it
    }
  };
  return {
    async create(task, id = randomUUID()) {
      await files.makeFolder(folder, 0o700);
      await files.replace(fileOf(id), JSON.stringify(task), 0o600);
      return id;
    },
    find,
    async list() {
      const ids = (await files.list(folder, MOST_LISTED)).flatMap((name) => TASK_FILE.exec(name)?.[1] ?? []);
      const found = await Promise.all(
        ids.map(async (id) => {
          const task = await find(id);
          if (task === undefined) await files.remove(fileOf(id)).catch(() => {}); // it has expired
          return task;
        }),
      );
      return found
        .filter((task) => task !== undefined)
        .toSorted((one, other) => one.createdAt - other.createdAt);
    },
    remove: (id) => files.remove(fileOf(id)),
  };
}

function toTask(id: string, value: unknown): SavedTask | undefined {
  if (!isJsonObject(value)) return undefined;
  const { taskId, server, fingerprint, account, tool, createdAt, expiresAt, process, client, known } = value;
  const { pid, place } = isJsonObject(process) ? process : {};
  const areTexts = [taskId, server, fingerprint, tool, place].every((text) => typeof text === "string");
  const areNumbers = [createdAt, expiresAt, pid].every((number) => typeof number === "number");
  if (!areTexts || !areNumbers) return undefined;
  return {
    id,
    taskId: String(taskId),
    server: String(server),
    fingerprint: String(fingerprint),
    tool: String(tool),
    createdAt: Number(createdAt),
    expiresAt: Number(expiresAt),
    process: { pid: Number(pid), place: String(place) },
    ...(typeof account === "string" && { account }),
    ...(typeof client === "string" && { client }),
    ...(isJsonObject(known) && { known }),
  };
}
