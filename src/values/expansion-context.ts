import type { ExpansionRules } from "../model/index.ts";
import type { Environment } from "../platform/index.ts";
import { type Expanded, type ExpansionContext, expand } from "./expand.ts";
import { isFolderVariable } from "./folder-variables.ts";

/** A text with its variables filled in, and as it may be shown. Reads no files and no stored secrets. */
export function showExpanded(
  field: string,
  text: string,
  rules: ExpansionRules,
  environment: Environment,
): Pick<Expanded, "text" | "shown"> {
  return expand(text, rules, expansionContext(environment, rules), field);
}

/** What placeholders stand for as far as the environment knows: no files and no stored secrets. */
export function expansionContext(
  { home, cwd, platform, variables }: Environment,
  { workspaceFolder = cwd }: ExpansionRules,
): ExpansionContext {
  return {
    variables,
    home,
    workspaceFolder,
    pathSeparator: platform === "win32" ? "\\" : "/",
    showsVariable: (name) => isFolderVariable(name, platform),
  };
}
