import { memberAt } from "../../documents/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/index.ts";
import { HTTP_THEN_SSE } from "../map-fields.ts";
import { complain } from "../owner-problems.ts";
import type {
  DiscoveryProvider,
  MappedEntry,
  ProviderReading,
  SourceDocument,
  SourceFile,
} from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { isAllowed, isDenied } from "../server-matchers.ts";
import { projectFile, userFile } from "../source-files.ts";
import { inputsById, mapVsCodeEntry, VSCODE_EXPANSION } from "./vscode-entry.ts";
import { vscodeUserFolders } from "./vscode-folders.ts";

/** The path of the object with `servers` and `inputs`, by kind of file. */
const HOLDERS: Readonly<Record<string, readonly string[]>> = {
  mcp: [],
  settings: ["mcp"],
  workspace: ["settings", "mcp"],
  devcontainer: ["customizations", "vscode", "mcp"],
};

/** VS Code, Insiders and VSCodium: the workspace, dev containers, the user and all profiles, and older settings. */
export const vscode: DiscoveryProvider = {
  id: "vscode",
  label: "VS Code",
  priority: 20,
  files(where) {
    const { home, projectFolders, join } = where;
    const all = (role: string, file: SourceFile): SourceFile => ({ ...file, role, all: true });
    const inUserFolders = (...parts: readonly string[]): SourceFile =>
      userFile(...vscodeUserFolders(where).map((folder) => join(folder, ...parts)));
    const containers = projectFolders.flatMap((folder) => [
      join(folder, ".devcontainer", "devcontainer.json"),
      join(folder, ".devcontainer.json"),
      join(folder, ".devcontainer", "*", "devcontainer.json"),
    ]);
    return [
      { ...projectFile(where, ".vscode", "mcp.json"), role: "mcp" },
      all("workspace", projectFile(where, "*.code-workspace")),
      { ...projectFile(where, ".vscode", "settings.json"), role: "settings" },
      all("devcontainer", { scope: "project", tier: "project", paths: containers }),
      all("mcp", inUserFolders("mcp.json")),
      all("mcp", inUserFolders("profiles", "*", "mcp.json")),
      all("settings", inUserFolders("settings.json")),
      all("settings", inUserFolders("profiles", "*", "settings.json")),
      { ...userFile(join(home, ".vscode-server", "data", "User", "mcp.json")), role: "mcp" },
    ];
  },
  read(documents) {
    const settings = documents.filter(({ role, tier }) => role === "settings" && tier !== "project");
    return joinReadings(documents.map((source) => readFile(source, settings)));
  },
};

function readFile(source: SourceDocument, settings: readonly SourceDocument[]): ProviderReading {
  const holder = HOLDERS[source.role ?? "mcp"] ?? [];
  const inputs = inputsById(memberAt(source.value, [...holder, "inputs"]));
  const reading = readServerMap(source, {
    keys: [[...holder, "servers"]],
    expansion: VSCODE_EXPANSION,
    map: (entry, name) => {
      const mapped = mapVsCodeEntry(entry, { inputs, candidates: HTTP_THEN_SSE });
      return { ...mapped, ...switchOf(name, mapped.fields, settings) };
    },
  });
  if (source.role !== "mcp" || memberAt(source.value, ["mcpServers"]) === undefined) return reading;
  const message = `has "mcpServers": VS Code reads "servers" and finds no servers here`;
  return complain(reading, {
    source,
    path: ["mcpServers"],
    code: "owner-refuses",
    message,
    severity: "warning",
  });
}

/** The user's settings can disable all servers, those on a list, or those not on a list. */
function switchOf(
  name: string,
  fields: JsonObject,
  settings: readonly SourceDocument[],
): Pick<MappedEntry, "enabled"> {
  for (const { file, value } of settings) {
    const setting = (key: string): JsonValue | undefined =>
      isJsonObject(value) ? memberAt(value, [`chat.mcp.${key}`]) : undefined;
    const off = (key: string): Pick<MappedEntry, "enabled"> => ({
      enabled: { value: false, rule: `"chat.mcp.${key}" in ${file}` },
    });
    if (setting("access") === "none") return off("access");
    if (isDenied(setting("deniedServers"), name, fields)) return off("deniedServers");
    if (!isAllowed(setting("allowedServers"), name, fields)) return off("allowedServers");
  }
  return {};
}
