import type { Dialect } from "./dialect.ts";
import { NO_PLACEHOLDERS } from "./entry-writer.ts";
import { type EntryFormat, PLAIN_LAUNCH_FIELDS, toPlainEntry } from "./plain-entry.ts";

const WORDS: EntryFormat = {
  label: "Claude Desktop",
  placeholders: NO_PLACEHOLDERS,
  types: { stdio: "" },
  environment: "little",
};

/** Claude Desktop: one user file. It supports only local servers and expands no placeholders. */
export const claudeDesktop: Dialect = {
  id: "claude-desktop",
  label: "Claude Desktop",
  format: "json",
  files: ({ appData, join }, scope) =>
    scope === "user" ? [join(appData, "Claude", "claude_desktop_config.json")] : [],
  keyPath: () => ["mcpServers"],
  toEntry: (server) => toPlainEntry(server, WORDS),
  launchFields: PLAIN_LAUNCH_FIELDS,
};
