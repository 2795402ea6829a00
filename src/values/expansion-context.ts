import type { ServerDeclaration } from "../model/index.ts";
import type { Environment } from "../platform/index.ts";
import { type Expanded, type ExpansionContext, expand } from "./expand.ts";
import { isFolderVariable } from "./folder-variables.ts";

/** A text with its variables filled in, and as it may be shown. Reads no files and no stored secrets. */
export function showExpanded(
  field: string,
  text: string,
  declaration: Declared,
  environment: Environment,
): Pick<Expanded, "text" | "shown"> {
  return expand(text, declaration.expansion, expansionContext(environment, declaration), field);
}

type Declared = Pick<ServerDeclaration, "expansion" | "projectFolder">;

/** What placeholders stand for as far as the environment knows: no files and no stored secrets. */
export function expansionContext(
  { home, cwd, platform, variables }: Environment,
  { expansion: { workspaceFolder = cwd }, projectFolder }: Declared,
): ExpansionContext {
  return {
    variables: projectFolder === undefined ? variables : inProject(variables, cwd, projectFolder),
    home,
    workspaceFolder,
    pathSeparator: platform === "win32" ? "\\" : "/",
    showsVariable: (name) => isFolderVariable(name, platform),
  };
}

/**
 * The variables as a project's entry gets them in a folder below the project's: one that holds the working folder means the
 * project's folder, as a relative path does. Else the folder below would choose what an approved entry runs.
 */
function inProject(
  variables: Environment["variables"],
  cwd: string,
  projectFolder: string,
): Environment["variables"] {
  const isWorkingFolder = (name: string, value: string | undefined): boolean =>
    /^(?:PWD|INIT_CWD)$/i.test(name) || value === cwd;
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      value !== undefined && isWorkingFolder(name, value) ? projectFolder : value,
    ]),
  );
}
