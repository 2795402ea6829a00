import { isAbsolute, join } from "node:path";
import type { ServerEntry, StdioLaunch } from "../model/index.ts";
import type { Environment, Files } from "../platform/index.ts";
import { showExpanded } from "./expansion-context.ts";
import { declaringFolder, insideProject } from "./inside-project.ts";
import { parseEnvFile } from "./parse-env-file.ts";

/** Larger files are not env files. */
export const LARGEST_ENV_FILE: number = 1024 * 1024;

/** What an `envFile` held when it was read, or why it could not be read. */
export interface EnvFile {
  /** The path with its placeholders filled in. */
  readonly path: string;
  readonly variables: ReadonlyMap<string, string>;
  readonly failure?:
    | { readonly kind: "missing" | "unreadable" | "workingFolder"; readonly error?: unknown }
    | { readonly kind: "outside"; readonly leadsTo: string };
}

/** The path of a launch's `envFile`, filled in and as it may be shown; `undefined` if it names none. */
export function envFilePath(
  entry: Pick<ServerEntry, "declaration">,
  { envFile }: StdioLaunch,
  environment: Environment,
): { readonly path: string; readonly shown: string } | undefined {
  if (envFile === undefined) return undefined;
  const { text, shown } = showExpanded("envFile", envFile, entry.declaration, environment);
  // A repository inside the project must not bring its own file.
  const folder = declaringFolder(entry, environment);
  return isAbsolute(text) ? { path: text, shown } : { path: join(folder, text), shown: join(folder, shown) };
}

/** Reads the `envFile` of a launch; `undefined` if it names none. Never throws. */
export async function readEnvFile(
  entry: ServerEntry,
  launch: StdioLaunch,
  { environment, files }: { readonly environment: Environment; readonly files: Files },
): Promise<EnvFile | undefined> {
  const path = envFilePath(entry, launch, environment)?.path;
  if (path === undefined) return undefined;
  const variables = new Map<string, string>();
  if (isOfWorkingFolder(entry, launch, environment))
    return { path, variables, failure: { kind: "workingFolder" } };
  try {
    const { text } = showExpanded("envFile", launch.envFile ?? "", entry.declaration, environment);
    const found = await insideProject(entry, text, path, { environment, files });
    if ("leadsTo" in found) return { path, variables, failure: { kind: "outside", leadsTo: found.leadsTo } };
    const bytes = await files.read(found.path, LARGEST_ENV_FILE);
    if (bytes === undefined) return { path, variables, failure: { kind: "missing" } };
    return { path, variables: parseEnvFile(new TextDecoder().decode(bytes)) };
  } catch (error) {
    return { path, variables, failure: { kind: "unreadable", error } };
  }
}

/** Whether the folder you happen to be in chooses the file of a server that is your own. Its variables can choose what runs. */
function isOfWorkingFolder(entry: ServerEntry, launch: StdioLaunch, environment: Environment): boolean {
  if (entry.provenance.tier === "project" || entry.resolveInProject) return false;
  const cwd = join(environment.cwd, "elsewhere");
  const elsewhere = { ...environment, cwd, variables: { ...environment.variables, PWD: cwd } };
  return envFilePath(entry, launch, elsewhere)?.path !== envFilePath(entry, launch, environment)?.path;
}
