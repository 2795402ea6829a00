import { HostError } from "../../index.ts";

/** The person typed something that cannot be meant. Exit code 2. */
export function usageError(message: string, hint?: string): HostError {
  return new HostError("USAGE_INVALID", message, { hint });
}
