import type { SandboxDenial } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";

/** Describes what a sandbox refused, to follow "refused". */
export function describeDenial({ kind, target }: SandboxDenial): string {
  if (kind === "host") return target === "*" ? "network access" : `a connection to ${safeLine(target)}`;
  return `${kind === "read" ? "reading" : "writing"} ${safeLine(target)}`;
}
