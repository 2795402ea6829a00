import { type HostErrorCode, isHostError, ToolAbortError } from "../../index.ts";
import type { ExitCode } from "./command.ts";

const USAGE: ReadonlySet<HostErrorCode> = new Set([
  "USAGE_INVALID",
  "SERVER_UNKNOWN",
  "TOOL_UNKNOWN",
  "TOOL_ARGUMENTS_INVALID",
  "RESOURCE_UNKNOWN",
  "TASK_UNKNOWN",
  "PROMPT_UNKNOWN",
  "PROMPT_ARGUMENTS_INVALID",
  "MODEL_UNKNOWN",
  "RECORDING_INVALID",
]);
const USER_ACTION: ReadonlySet<HostErrorCode> = new Set([
  "INTERACTION_REQUIRED",
  "POLICY_HASH_MISMATCH",
  "PACKAGE_REFUSED",
  "AUTH_REQUIRED",
  "AUTH_CLIENT_REQUIRED",
  "VALUE_UNRESOLVED",
]);

/** Returns the exit code for an error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof ToolAbortError) return 130;
  if (!isHostError(error)) return 1;
  if (USAGE.has(error.code)) return 2;
  return USER_ACTION.has(error.code) ? 3 : 1;
}
