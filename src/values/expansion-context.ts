import type { ExpansionRules } from "../model/index.ts";
import type { Environment } from "../platform/index.ts";
import type { ExpansionContext } from "./expand.ts";

/** What placeholders stand for as far as the environment knows: no files and no stored secrets. */
export function expansionContext(
  { home, cwd, platform, variables }: Environment,
  { workspaceFolder = cwd }: ExpansionRules,
): ExpansionContext {
  return { variables, home, workspaceFolder, pathSeparator: platform === "win32" ? "\\" : "/" };
}
