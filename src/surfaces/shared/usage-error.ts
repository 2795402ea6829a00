import { HostError } from "../../index.ts";

/** Returns an error for invalid arguments. Its exit code is 2. */
export function usageError(message: string, hint?: string): HostError {
  return new HostError("USAGE_INVALID", message, { hint });
}
