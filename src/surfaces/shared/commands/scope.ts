import type { WriteScope } from "../../../index.ts";
import type { Flag, FlagValue } from "../command.ts";
import { usageError } from "../usage-error.ts";

export const SCOPE_FLAG: Flag = {
  type: "string",
  value: "project|user",
  summary: "which of Plugboard's own files",
};

export function readScope(value: FlagValue): WriteScope | undefined {
  if (value === undefined || value === "project" || value === "user") return value;
  throw usageError("Invalid --scope value. Use project or user.");
}
