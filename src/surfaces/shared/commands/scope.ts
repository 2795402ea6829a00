import type { WriteScope } from "../../../index.ts";
import type { Flag, FlagValue } from "../command.ts";
import { usageError } from "../usage-error.ts";

export const SCOPE_FLAG: Flag = {
  type: "string",
  value: "project|user",
  summary: "use the project's config file or your own",
};

export function readScope(value: FlagValue): WriteScope | undefined {
  if (value === undefined || value === "project" || value === "user") return value;
  throw usageError("Invalid --scope value. Use project or user.");
}
