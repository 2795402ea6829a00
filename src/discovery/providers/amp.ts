import type { ExpansionRules } from "../../model/index.ts";
import { type EntryRules, mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider, SourceFile, Where } from "../provider.ts";
import { readServerMaps } from "../read-server-map.ts";
import { inEditors, pathFromVariable, projectFile, userFile } from "../source-files.ts";

const EXPANSION: ExpansionRules = { syntaxes: ["braced"], unset: "literal" };

const RULES: EntryRules = { url: "http-sse", names: { includeTools: "allowTools" }, disabled: true };

/** Amp: the key `amp.mcpServers` in its own settings and in those of VS Code. */
export const amp: DiscoveryProvider = {
  id: "amp",
  label: "Amp",
  priority: 40,
  files(where) {
    const { home, configHome, platform, projectFolders, join } = where;
    // Amp uses ~/.config on Windows, too, instead of %APPDATA%.
    const folder = join(platform === "win32" ? join(home, ".config") : configHome, "amp");
    const project: SourceFile = {
      scope: "project",
      tier: "project",
      paths: projectFolders.flatMap((parent) => settingsIn(join(parent, ".amp"), where)),
    };
    return [
      { scope: "managed", tier: "managed", paths: [managedFile(where)] },
      project,
      projectFile(where, ".vscode", "settings.json"),
      userFile(...settingsIn(folder, where)),
      { ...userFile(...inEditors(where, "settings.json")), all: true },
    ];
  },
  read: (documents) =>
    readServerMaps(documents, {
      keys: [["amp.mcpServers"]],
      expansion: EXPANSION,
      map: (entry) => mapPlainEntry(entry, RULES),
    }),
};

function settingsIn(folder: string, { join }: Where): string[] {
  return [join(folder, "settings.json"), join(folder, "settings.jsonc")];
}

function managedFile(where: Where): string {
  const { platform, join } = where;
  const name = "managed-settings.json";
  if (platform === "darwin") return `/Library/Application Support/ampcode/${name}`;
  return platform === "win32"
    ? join(pathFromVariable(where, "ProgramData") ?? "C:\\ProgramData", "ampcode", name)
    : `/etc/ampcode/${name}`;
}
