import type { Dialect } from "./dialect.ts";
import { type EntryWords, PLAIN_LAUNCH_FIELDS, sayPlainly } from "./plain-entry.ts";
import { NO_PLACEHOLDERS } from "./wording.ts";

const WORDS: EntryWords = {
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
  toEntry: (server) => sayPlainly(server, WORDS),
  launchFields: PLAIN_LAUNCH_FIELDS,
};
