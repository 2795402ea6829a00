import type { HostOptions } from "../../index.ts";
import type { Flag, FlagValue } from "./command.ts";
import { usageError } from "./usage-error.ts";

/** Overrides the timeout of the server's entry for one run. For commands that connect. */
export const TIMEOUT_FLAG: Readonly<Record<"timeout", Flag>> = {
  timeout: {
    type: "string",
    value: "<ms>",
    summary: "timeout for connecting and for each request, for this run",
  },
};

/** Node's timers fire immediately if the delay is longer. */
const LONGEST_MS = 2 ** 31 - 1;

export function timeLimit(given: FlagValue | undefined): Pick<HostOptions, "timeoutMs"> {
  if (typeof given !== "string") return {};
  if (!/^[1-9]\d*$/.test(given)) throw usageError("--timeout must be a number of milliseconds.");
  return { timeoutMs: Math.min(Number(given), LONGEST_MS) };
}
