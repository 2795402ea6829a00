import { codeArguments, isCommandPath, isRelativePath, type OwnerVerdict } from "../model/index.ts";
import type { ProviderReading, RawEntry, Where } from "./provider.ts";

/** Starts servers in the working folder, even if a parent folder declares them. */
const USES_WORKING_FOLDER = "claude-code";
/** Tools that read only the files of the working folder. */
const READ_WORKING_FOLDER: ReadonlySet<string> = new Set(["omp", "xcsh", "pisces"]);

/**
 * Records the project folder of each entry if Plugboard runs in a subfolder of it. Editors start a project's servers
 * in the project folder. Other tools start them in the working folder; only code with a relative path belongs to the
 * project. A user's file that is treated as a project's belongs to no folder.
 */
export function withProjectFolders(reading: ProviderReading, where: Where, tool: string): ProviderReading {
  return { ...reading, entries: reading.entries.map((entry) => withProjectFolder(entry, where, tool)) };
}

function withProjectFolder(entry: RawEntry, where: Where, tool: string): RawEntry {
  const { source, expansion } = entry;
  if (source.tier !== "project") return entry;
  const { cwd, projectFolders, join } = where;
  const isUsers = source.scope === "user" || source.scope === "managed";
  if (isUsers && !source.file.startsWith(join(projectFolders.at(-1) ?? cwd, "/")))
    return { ...entry, isOutsideProjects: true };
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

/** Returns the owner's verdict on an entry that a parent of the working folder declares. */
function ownerFromSubfolder(entry: RawEntry, where: Where, tool: string): OwnerVerdict | undefined {
  if (tool === USES_WORKING_FOLDER) return ownerUsesWorkingFolder(entry, where);
  if (!READ_WORKING_FOLDER.has(tool)) return entry.owner;
  return { valid: false, problems: [...(entry.owner?.problems ?? []), "working-folder-only"] };
}

/** Returns the folder that contains `.mcp.json` or a tool's folder such as `.claude`. */
function projectFolderOf(
  file: string,
  { ancestors, projectFolders, platform, join }: Where,
): string | undefined {
  const nearest = ancestors.findIndex((candidate) => file.startsWith(join(candidate, "/")));
  const folder = ancestors[nearest];
  if (folder === undefined) return undefined;
  const [name = ""] = folder.split(platform === "win32" ? /[\\/]/ : "/").slice(-1);
  const isDirectlyInside = !/[\\/]/.test(file.slice(join(folder, "/").length));
  // The working folder may be inside a tool's folder. A repository may also have a dotted name.
  const isToolFolder = isDirectlyInside && /^\../.test(name) && folder !== projectFolders.at(-1);
  return isToolFolder ? ancestors[nearest + 1] : folder;
}

/** Adds a problem if the owner would resolve the entry's relative paths from another folder. */
function ownerUsesWorkingFolder({ fields, owner }: RawEntry, { platform }: Where): OwnerVerdict | undefined {
  const { command, args, cwd } = fields;
  if (owner === undefined || typeof command !== "string" || cwd !== undefined) return owner;
  const words = Array.isArray(args) ? args.filter((word): word is string => typeof word === "string") : [];
  const isRelative =
    (isCommandPath(command, platform) && isRelativePath(command)) ||
    codeArguments(command, words).some(({ value }) => isRelativePath(value));
  return isRelative ? { ...owner, problems: [...owner.problems, "working-folder-path"] } : owner;
}
