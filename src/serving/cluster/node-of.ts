import type { ClientMessage } from "../client/client-messages.ts";

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const STATE = new RegExp(`^pb1\\.(${UUID})\\.`);
const TASK = new RegExp(`^${UUID}\\.(${UUID})$`);
const LONGEST_HINT = 128;

/**
 * Returns the gateway that a request belongs to, as the client's state or task says. It is only a hint: that gateway checks whose the
 * request is.
 */
export function nodeOf(message: ClientMessage): string | undefined {
  if (message.kind !== "request") return undefined;
  const { requestState, taskId } = message.params;
  if (typeof requestState === "string") return STATE.exec(requestState.slice(0, LONGEST_HINT))?.[1];
  if (!message.method.startsWith("tasks/") || typeof taskId !== "string") return undefined;
  return TASK.exec(taskId.slice(0, LONGEST_HINT))?.[1];
}
