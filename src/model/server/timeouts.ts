import { HostError } from "../host-error.ts";
import type { ServerEntry } from "./server.ts";

/** Returns the hint for a timeout: the seeds' sentence, then the current limit and the setting that it comes from. */
export function timeoutHint(ms: number, source: string | undefined): string {
  return `Try increasing the timeout. ${describeLimit(ms, source)}`;
}

function describeLimit(ms: number, source: string | undefined): string {
  return `The limit is ${ms} ms${source === undefined ? "" : `: ${source}`}.`;
}

/**
 * Returns the error for a server that did not connect within its time limit. `how` describes what happened instead.
 * `clues` is output of the server that suggests another cause than too little time: the hint then starts with it, and
 * mentions the limit without advice to increase it.
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
        : `${clues}\n${describeLimit(ms, startupTimeoutSource)}`,
  });
}

type StartupLimit = "startupTimeoutMs" | "startupTimeoutSource";
