import { type Dialect, inProject } from "./dialect.ts";
import { NO_PLACEHOLDERS } from "./entry-writer.ts";
import { type EntryFormat, PLAIN_LAUNCH_FIELDS, toPlainEntry } from "./plain-entry.ts";

const WORDS: EntryFormat = {
  label: "Zed",
  placeholders: NO_PLACEHOLDERS,
  types: { stdio: "", http: "" },
  names: { timeout: "timeout" },
  inSeconds: true,
  environment: "all",
};

/**
 * Zed: `context_servers` in the project's settings or the user's. Timeouts are in seconds. It expands no
 * placeholders.
 */
export const zed: Dialect = {
  id: "zed",
  label: "Zed",
  format: "json",
  files(where, scope) {
    if (scope === "project") return inProject(where, ".zed", "settings.json");
    return [where.join(where.configHome, where.platform === "win32" ? "Zed" : "zed", "settings.json")];
  },
  keyPath: () => ["context_servers"],
  toEntry: (server) => toPlainEntry(server, WORDS),
  launchFields: [...PLAIN_LAUNCH_FIELDS, "source", "settings", "remote", "oauth"],
};
