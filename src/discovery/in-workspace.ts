import type { ProviderReading, RawEntry, Where } from "./provider.ts";

/**
 * Editors start the servers of a project in its folder, from wherever Plugboard is run below it. Other tools start them where
 * they are started themselves.
 */
export function inWorkspace(reading: ProviderReading, where: Where): ProviderReading {
  return { ...reading, entries: reading.entries.map((entry) => placed(entry, where)) };
}

function placed(entry: RawEntry, { cwd, projectFolders, join }: Where): RawEntry {
  const { source, expansion } = entry;
  if (source.tier !== "project" || !expansion.syntaxes.includes("folders")) return entry;
  const folder = projectFolders.find((candidate) => source.file.startsWith(join(candidate, "/")));
  if (folder === undefined || folder === cwd) return entry;
  return { ...entry, expansion: { ...expansion, baseFolder: folder, workspaceFolder: folder } };
}
