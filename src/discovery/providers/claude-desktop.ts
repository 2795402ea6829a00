import { memberAt } from "../../documents/index.ts";
import { type JsonValue, NO_EXPANSION } from "../../model/index.ts";
import { readStrictMaps } from "../owner-problems.ts";
import { mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider, RawEntry, SourceDocument, SourceFile, Where } from "../provider.ts";
import { joinReadings } from "../read-server-map.ts";
import { folderOf, nameOf, pathFromVariable, userFile } from "../source-files.ts";
import { bundleVariables, readMcpbManifest } from "../templates/mcpb-manifest.ts";

const EXTENSIONS = "Claude Extensions";

/** Claude Desktop: one file of local servers, and the extensions installed from bundles. */
export const claudeDesktop: DiscoveryProvider = {
  id: "claude-desktop",
  label: "Claude Desktop",
  priority: 40,
  files(where) {
    const inApp = (...parts: string[]): SourceFile => ({
      ...userFile(...appFolders(where).map((folder) => where.join(folder, ...parts))),
      all: true,
    });
    return [
      inApp("claude_desktop_config.json"),
      { ...inApp(EXTENSIONS, "*", "manifest.json"), role: "extension" },
    ];
  },
  furtherFiles: (documents, where) =>
    documents
      .filter(({ role }) => role === "extension")
      .map(({ file }) => ({ ...userFile(settingsOf(file, where)), role: "extension settings" })),
  read(documents, where) {
    const role = (name: string | undefined): SourceDocument[] =>
      documents.filter((source) => source.role === name);
    const enabledByFile = new Map(
      role("extension settings").map(({ file, value }) => [file, memberAt(value, ["isEnabled"])]),
    );
    return joinReadings([
      readStrictMaps(role(undefined), "Claude Desktop", {
        keys: [["mcpServers"]],
        expansion: NO_EXPANSION,
        map: (entry) => mapPlainEntry(entry, { url: "unsupported" }),
      }),
      { entries: role("extension").flatMap((source) => readExtension(source, where, enabledByFile)) },
    ]);
  },
};

/** The Windows Store edition keeps its data in the folder of its package. */
function appFolders(where: Where): string[] {
  const { platform, appData, home, join } = where;
  const app = join(appData, "Claude");
  if (platform !== "win32") return [app];
  const local = pathFromVariable(where, "LOCALAPPDATA") ?? join(home, "AppData", "Local");
  return [join(local, "Packages", "Claude_*", "LocalCache", "Roaming", "Claude"), app];
}

/** Returns the path of an extension's settings. Plugboard reads only `isEnabled` from it. */
function settingsOf(manifest: string, where: Where): string {
  const folder = folderOf(where, manifest);
  return where.join(folder, "..", "..", `${EXTENSIONS} Settings`, `${nameOf(folder)}.json`);
}

function readExtension(
  source: SourceDocument,
  where: Where,
  enabledByFile: ReadonlyMap<string, JsonValue | undefined>,
): RawEntry[] {
  const template = readMcpbManifest(source.value, where.platform);
  if (template === undefined) return [];
  const folder = folderOf(where, source.file);
  const settings = settingsOf(source.file, where);
  const isOff = enabledByFile.get(settings) === false;
  return [
    {
      ...template,
      source,
      expansion: {
        syntaxes: ["foreign"],
        unset: "literal",
        names: bundleVariables(folder, where),
        baseFolder: folder,
        commandFolder: folder,
      },
      ...(isOff && { enabled: { value: false, rule: `"isEnabled" in ${settings}` } }),
    },
  ];
}
