import { HostError } from "../host-error.ts";
import type { ServerEntry } from "./server.ts";

/** What to do about a timeout: the seeds' sentence, then the limit in force and the setting it comes from. */
export function timeoutHint(ms: number, source: string | undefined): string {
  return `Try increasing the timeout. ${limitInForce(ms, source)}`;
}

function limitInForce(ms: number, source: string | undefined): string {
  return `The limit is ${ms} ms${source === undefined ? "" : `: ${source}`}.`;
}

/**
 * A server that was not connected within its limit. `how` says what it was busy with. With `clues`, what it printed, more time is not what
 * it lacks: they come first, and the limit is only named.
 */
export function connectTimeout(
  { name, startupTimeoutMs: ms, startupTimeoutSource }: Pick<ServerEntry, "name" | StartupLimit>,
  how = "it did not answer",
  clues = "",
): HostError {
  return new HostError("CONNECT_TIMEOUT", `Failed to connect to "${name}": ${how} within ${ms} ms`, {
    server: name,
    hint:
      clues === ""
        ? timeoutHint(ms, startupTimeoutSource)
        : `${clues}\n${limitInForce(ms, startupTimeoutSource)}`,
  });
}

type StartupLimit = "startupTimeoutMs" | "startupTimeoutSource";
