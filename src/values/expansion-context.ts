import type { ServerDeclaration } from "../model/index.ts";
import type { Environment } from "../platform/index.ts";
import { type Expanded, type ExpansionContext, expand } from "./expand.ts";
import { isFolderVariable } from "./folder-variables.ts";

/** Expands the variables in a text and returns it with its displayed form. Reads no files or stored secrets. */
export function expandForDisplay(
  field: string,
  text: string,
  declaration: Declared,
  environment: Environment,
): Pick<Expanded, "text" | "shown"> {
  return expand(text, declaration.expansion, expansionContext(environment, declaration), field);
}

type Declared = Pick<ServerDeclaration, "expansion" | "projectFolder">;

/** Returns the placeholder values that are available in the environment, without files and stored secrets. */
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
 * Returns the variables for a project's entry when Plugboard runs in a subfolder. Variables that contain the working
 * folder get the project folder instead, like relative paths. Otherwise the subfolder could change what an approved
 * entry runs.
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
