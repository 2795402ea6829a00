import { codeArguments, isCommandPath, isRelativePath, type OwnerVerdict } from "../model/index.ts";
import type { ProviderReading, RawEntry, Where } from "./provider.ts";

/** Starts servers in the folder it is started in, also those of a folder above it. */
const USES_WORKING_FOLDER = "claude-code";
/** Read the files of their working folder only. */
const READ_WORKING_FOLDER: ReadonlySet<string> = new Set(["omp", "xcsh", "pisces"]);

/**
 * Notes which folder a project's entries belong to, if Plugboard runs below it. Editors start the servers of a project in its
 * folder; other tools start them in the working folder, and only the code that an entry names by a relative path is the project's.
 */
export function inWorkspace(reading: ProviderReading, where: Where, tool: string): ProviderReading {
  return { ...reading, entries: reading.entries.map((entry) => placed(entry, where, tool)) };
}

function placed(entry: RawEntry, where: Where, tool: string): RawEntry {
  const { source, expansion } = entry;
  if (source.tier !== "project") return entry;
  const { cwd, projectFolders, join } = where;
  if (!expansion.syntaxes.includes("folders")) {
    const projectFolder = projectFolderOf(source.file, where);
    if (projectFolder === undefined || projectFolder === cwd) return entry;
    const owner = ownerFromSubfolder(entry, where, tool);
    return { ...entry, projectFolder, ...(owner && { owner }) };
  }
  const folder = projectFolders.find((candidate) => source.file.startsWith(join(candidate, "/")));
  if (folder === undefined || folder === cwd) return entry;
  return { ...entry, expansion: { ...expansion, baseFolder: folder, workspaceFolder: folder } };
}

/** What its owner would do with an entry of a folder above the working folder. */
function ownerFromSubfolder(entry: RawEntry, where: Where, tool: string): OwnerVerdict | undefined {
  if (tool === USES_WORKING_FOLDER) return ownerUsesWorkingFolder(entry, where);
  if (!READ_WORKING_FOLDER.has(tool)) return entry.owner;
  return { valid: false, problems: [...(entry.owner?.problems ?? []), "working-folder-only"] };
}

/** The folder that holds `.mcp.json` or a tool's folder such as `.claude`. */
function projectFolderOf(
  file: string,
  { ancestors, projectFolders, platform, join }: Where,
): string | undefined {
  const nearest = ancestors.findIndex((candidate) => file.startsWith(join(candidate, "/")));
  const folder = ancestors[nearest];
  if (folder === undefined) return undefined;
  const [name = ""] = folder.split(platform === "win32" ? /[\\/]/ : "/").slice(-1);
  const isDirectlyInside = !/[\\/]/.test(file.slice(join(folder, "/").length));
  // The working folder may be a tool's folder itself, or in one; a repository may have such a name, too.
  const isToolFolder = isDirectlyInside && /^\../.test(name) && folder !== projectFolders.at(-1);
  return isToolFolder ? ancestors[nearest + 1] : folder;
}

/** What its owner would hold against an entry whose code it would look for in another folder. */
function ownerUsesWorkingFolder({ fields, owner }: RawEntry, { platform }: Where): OwnerVerdict | undefined {
  const { command, args, cwd } = fields;
  if (owner === undefined || typeof command !== "string" || cwd !== undefined) return owner;
  const words = Array.isArray(args) ? args.filter((word): word is string => typeof word === "string") : [];
  const isRelative =
    (isCommandPath(command, platform) && isRelativePath(command)) ||
    codeArguments(command, words).some(({ value }) => isRelativePath(value));
  return isRelative ? { ...owner, problems: [...owner.problems, "working-folder-path"] } : owner;
}
