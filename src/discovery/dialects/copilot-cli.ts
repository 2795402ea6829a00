import { isJsonObject, type JsonObject } from "../../model/index.ts";
import { hasString } from "../map-fields.ts";
import { pathFromVariable } from "../source-files.ts";
import { type Dialect, inProject } from "./dialect.ts";
import { BRACED } from "./entry-writer.ts";
import { type EntryFormat, PLAIN_LAUNCH_FIELDS, toPlainEntry } from "./plain-entry.ts";

/** Uses `stdio` instead of `local` because Claude Code may read the project's file, too. */
const WORDS: EntryFormat = {
  label: "GitHub Copilot CLI",
  placeholders: { ...BRACED, trap: /\$[A-Za-z_{]/, fields: ["env", "headers"] },
  types: { stdio: "stdio", http: "http", sse: "sse" },
  names: { cwd: "cwd", timeout: "timeout", allowTools: "tools" },
  environment: "little",
};

/** GitHub Copilot CLI: the user's file or the project's. A `.mcp.json` hides the `.github/mcp.json` next to it. */
export const copilotCli: Dialect = {
  id: "copilot-cli",
  label: "GitHub Copilot CLI",
  format: "json",
  files(where, scope) {
    const { home, join } = where;
    if (scope === "user")
      return [join(pathFromVariable(where, "COPILOT_HOME") ?? join(home, ".copilot"), "mcp-config.json")];
    return inProject(where).flatMap((folder) => [
      join(folder, ".mcp.json"),
      join(folder, ".github", "mcp.json"),
    ]);
  },
  keyPath: (root) =>
    isBareMap(root)
      ? { cannot: 'has servers outside "mcpServers"; adding "mcpServers" would hide them' }
      : ["mcpServers"],
  toEntry: (server) => toPlainEntry(server, WORDS),
  launchFields: PLAIN_LAUNCH_FIELDS,
};

function isBareMap(root: JsonObject): boolean {
  if (Object.hasOwn(root, "mcpServers")) return false;
  return Object.values(root).some(
    (entry) => isJsonObject(entry) && (hasString(entry, "command") || hasString(entry, "url")),
  );
}
