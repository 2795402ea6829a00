import { dirname, join, sep } from "node:path";
import { type Dialect, findWhere, loadDialects } from "../../discovery/index.ts";
import { parseText } from "../../documents/index.ts";
import { HostError, isJsonObject, type JsonObject, nearest } from "../../model/index.ts";
import { assertInsideProject } from "../native-files/assert-inside-project.ts";
import type { WriteScope } from "../native-files/native-files.ts";
import { pathExists } from "../path-exists.ts";
import type { Workspace } from "../workspace.ts";

/** The file that an export writes. */
export interface ExportTarget {
  readonly dialect: Dialect;
  readonly scope: WriteScope;
  readonly file: string;
  /** The folder that relative paths in the file are resolved from. Not set for a user's file, which is read in every folder. */
  readonly folder: string | undefined;
}

async function findDialect(tool: string): Promise<Dialect> {
  const dialects = await loadDialects();
  const dialect = dialects.find(({ id }) => id === tool);
  if (dialect !== undefined) return dialect;
  const ids = dialects.map(({ id }) => id);
  const close = nearest(tool, ids);
  throw new HostError("USAGE_INVALID", `Plugboard cannot export to "${tool}".`, {
    hint: close === undefined ? `Supported tools: ${ids.join(", ")}.` : `Did you mean "${close}"?`,
  });
}

/** Returns the tool's file of the requested scope. Without a scope, prefers the user's file over the project's. */
export async function findTarget(
  { ports, environment, places }: Workspace,
  tool: string,
  wanted: WriteScope | undefined,
): Promise<ExportTarget> {
  const dialect = await findDialect(tool);
  const where = await findWhere(ports.files, environment, places);
  for (const scope of wanted === undefined ? (["user", "project"] as const) : [wanted]) {
    const files = dialect.files(where, scope);
    const exists = await Promise.all(files.map((file) => pathExists(ports.files, file)));
    const file = files[exists.indexOf(true)] ?? files.at(-1);
    if (file === undefined) continue;
    if (scope === "user") return { dialect, file, scope, folder: undefined };
    await assertInsideProject(ports.files, file, where.projectFolders);
    const folder = where.projectFolders.find((one) => file.startsWith(join(one, sep)));
    return { dialect, file, scope, folder: folder ?? dirname(file) };
  }
  const scope = wanted ?? "project";
  const leftAlone = dialect.leftAlone?.[scope];
  const isNoProject = scope === "project" && where.projectFolders.every((folder) => folder === where.home);
  throw new HostError(
    "CONFIG_UNWRITABLE",
    leftAlone?.why ??
      (isNoProject ? "Your home folder is not a project." : `${dialect.label} has no ${scope} file.`),
    { hint: leftAlone?.hint ?? `Use the ${scope === "user" ? "project" : "user"} scope.` },
  );
}

/** Parses a file. Returns an empty object for an empty file. Throws if the file does not contain an object. */
export async function readRoot(text: string, file: string, { format }: Dialect): Promise<JsonObject> {
  if (text.trim() === "") return {};
  const { value, problems } = await parseText(text, format);
  const problem = problems.find(({ severity }) => severity === "error");
  if (problem !== undefined)
    throw notEditable(`${file}:${problem.at.line}:${problem.at.column}`, problem.message);
  if (!isJsonObject(value)) throw notEditable(file, "must hold an object");
  return value;
}

/** The error for a file that cannot be edited. */
export function notEditable(place: string, what: string, cause?: unknown): HostError {
  return new HostError("CONFIG_INVALID", `${place} ${what}; it was not changed.`, {
    hint: "Fix the file first.",
    cause,
  });
}
