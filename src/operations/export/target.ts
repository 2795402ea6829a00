import { dirname, join, sep } from "node:path";
import { type Dialect, findWhere, loadDialects } from "../../discovery/index.ts";
import { parseText } from "../../documents/index.ts";
import { HostError, isJsonObject, type JsonObject, nearest } from "../../model/index.ts";
import { staysInProject } from "../native-files/assert-inside-project.ts";
import type { WriteScope } from "../native-files/native-files.ts";
import { isThere } from "../path-exists.ts";
import type { Workspace } from "../workspace.ts";

/** The file of another tool that an export goes to. */
export interface ExportTarget {
  readonly dialect: Dialect;
  readonly scope: WriteScope;
  readonly file: string;
  /** The folder that relative paths in the file are meant from; none in a user's file, which is read in every folder. */
  readonly folder: string | undefined;
}

async function findDialect(tool: string): Promise<Dialect> {
  const dialects = await loadDialects();
  const dialect = dialects.find(({ id }) => id === tool);
  if (dialect !== undefined) return dialect;
  const ids = dialects.map(({ id }) => id);
  const close = nearest(tool, ids);
  throw new HostError("USAGE_INVALID", `Plugboard cannot write files of "${tool}".`, {
    hint: close === undefined ? `It can write: ${ids.join(", ")}.` : `Did you mean "${close}"?`,
  });
}

/** The file of the scope that was asked for; else the user's, else the project's. */
export async function findTarget(
  { ports, environment, places }: Workspace,
  tool: string,
  wanted: WriteScope | undefined,
): Promise<ExportTarget> {
  const dialect = await findDialect(tool);
  const where = await findWhere(ports.files, environment, places);
  for (const scope of wanted === undefined ? (["user", "project"] as const) : [wanted]) {
    const files = dialect.files(where, scope);
    const there = await Promise.all(files.map((file) => isThere(ports.files, file)));
    const file = files[there.indexOf(true)] ?? files.at(-1);
    if (file === undefined) continue;
    if (scope === "user") return { dialect, file, scope, folder: undefined };
    await staysInProject(ports.files, file, where.projectFolders);
    const folder = where.projectFolders.find((one) => file.startsWith(join(one, sep)));
    return { dialect, file, scope, folder: folder ?? dirname(file) };
  }
  const scope = wanted ?? "project";
  const leftAlone = dialect.leftAlone?.[scope];
  const isNoProject = scope === "project" && where.projectFolders.every((folder) => folder === where.home);
  throw new HostError(
    "CONFIG_UNWRITABLE",
    leftAlone?.why ??
      (isNoProject ? "Your home folder is no project." : `${dialect.label} has no ${scope} file.`),
    { hint: leftAlone?.hint ?? `Use the ${scope === "user" ? "project" : "user"} scope.` },
  );
}

/** What a file says, or nothing when it is empty; one that does not parse is refused. */
export async function readRoot(text: string, file: string, { format }: Dialect): Promise<JsonObject> {
  if (text.trim() === "") return {};
  const { value, problems } = await parseText(text, format);
  const problem = problems.find(({ severity }) => severity === "error");
  if (problem !== undefined)
    throw untouched(`${file}:${problem.at.line}:${problem.at.column}`, problem.message);
  if (!isJsonObject(value)) throw untouched(file, "must hold an object");
  return value;
}

/** A file that is not edited, and why. */
export function untouched(place: string, what: string, cause?: unknown): HostError {
  return new HostError("CONFIG_INVALID", `${place} ${what}; it was not changed.`, {
    hint: "Mend it by hand first.",
    cause,
  });
}
