import type { JsonValue } from "../../index.ts";
import type { Flag, FlagValue } from "./command.ts";
import { usageError } from "./usage-error.ts";

export const SANDBOX_FLAG: Flag = {
  type: "string",
  value: "on|network|off",
  summary: "run it sandboxed, sandboxed with full network, or not sandboxed",
};

const WORDS: Readonly<Record<string, JsonValue>> = { on: true, network: { network: "full" }, off: false };

/** Returns the chosen sandbox as an entry writes it. */
export function readSandbox(value: FlagValue): JsonValue | undefined {
  if (value === undefined) return undefined;
  const chosen = typeof value === "string" ? WORDS[value] : undefined;
  if (chosen === undefined) throw usageError("Invalid --sandbox value. Use on, network or off.");
  return chosen;
}

/** Names a choice in a few words. */
export function describeChoice(sandbox: JsonValue): string {
  if (sandbox === false) return "not sandboxed";
  if (sandbox === true) return "sandboxed";
  const isOpen = JSON.stringify(sandbox) === JSON.stringify(WORDS["network"]);
  return isOpen ? "sandboxed with full network" : "sandboxed as before";
}
