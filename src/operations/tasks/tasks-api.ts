import type { ToolProgress, ToolResult, WaitOptions } from "../../model/index.ts";

/** A call that its server runs as a task, and that was not finished when it was last seen. */
export interface TaskView {
  /** Plugboard's id of the task, for `wait` and `cancel`. */
  readonly id: string;
  /** The server that runs it. */
  readonly server: string;
  /** The tool that was called, as the server names it. */
  readonly tool: string;
  /** The account that made the call, if it was not the default one. */
  readonly account?: string;
  /** When it was started (ms since 1970). */
  readonly createdAt: number;
  /** When it is forgotten (ms since 1970). */
  readonly expiresAt: number;
  /** The process that waits for its result. Not set if that process has ended: use `wait`. */
  readonly process?: number;
}

/** Options for `host.tasks.wait`. */
export interface WaitForTaskOptions extends WaitOptions {
  /** Called with the task's status messages. */
  readonly onProgress?: (progress: ToolProgress) => void;
  /** The longest text in the result, in characters. Default: `resultChars` in the settings. */
  readonly textLimit?: number;
}

/** Calls that servers run as tasks. They continue when the host ends, so that another host can get their results. */
export interface HostTasks {
  /** Returns the unfinished tasks, the oldest first. Contacts no server. */
  list(options?: WaitOptions): Promise<TaskView[]>;
  /** Waits for a task and returns its result. Cancelling this does not cancel the task. */
  wait(id: string, options?: WaitForTaskOptions): Promise<ToolResult>;
  /** Cancels a task. */
  cancel(id: string, options?: WaitOptions): Promise<void>;
}
