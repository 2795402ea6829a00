import { pathFromVariable } from "../source-files.ts";
import type { Dialect } from "./dialect.ts";
import { ENV_BRACED } from "./entry-writer.ts";
import { type EntryFormat, PLAIN_LAUNCH_FIELDS, toPlainEntry } from "./plain-entry.ts";

/** Cline validates a url before it expands placeholders, and one invalid entry makes it reject the whole file. */
const WORDS: EntryFormat = {
  label: "Cline",
  placeholders: { ...ENV_BRACED, fields: ["command", "args", "env", "cwd", "headers"] },
  types: { stdio: "stdio", http: "streamableHttp", sse: "sse" },
  names: { cwd: "cwd", timeout: "timeout" },
  inSeconds: true,
  environment: "all",
};

/** Cline: one user file for all its editions. Timeouts are in seconds. */
export const cline: Dialect = {
  id: "cline",
  label: "Cline",
  format: "json",
  files(where, scope) {
    const { home, join } = where;
    const folder = pathFromVariable(where, "CLINE_DIR") ?? join(home, ".cline");
    const data = pathFromVariable(where, "CLINE_DATA_DIR") ?? join(folder, "data");
    const named = pathFromVariable(where, "CLINE_MCP_SETTINGS_PATH");
    return scope === "user" ? [named ?? join(data, "settings", "cline_mcp_settings.json")] : [];
  },
  keyPath: () => ["mcpServers"],
  toEntry: (server) => toPlainEntry(server, WORDS),
  launchFields: [...PLAIN_LAUNCH_FIELDS, "transport", "transportType", "oauth", "oauthClient"],
  grants: ["autoApprove", "alwaysAllow"],
};
