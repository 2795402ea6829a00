import type { Dialect } from "./dialect.ts";
import { ENV_BRACED } from "./entry-writer.ts";
import { type EntryFormat, PLAIN_LAUNCH_FIELDS, toPlainEntry } from "./plain-entry.ts";

/** Windsurf tries a remote server over HTTP, then SSE, so remote entries have no type. */
const WORDS: EntryFormat = {
  label: "Windsurf",
  placeholders: ENV_BRACED,
  types: { stdio: "", http: "", sse: "" },
  urlField: "serverUrl",
  names: { denyTools: "disabledTools" },
  environment: "all",
};

/** Windsurf (Cascade): one user file. A remote server's URL is in `serverUrl`. */
export const windsurf: Dialect = {
  id: "windsurf",
  label: "Windsurf",
  format: "json",
  files: ({ home, join }, scope) =>
    scope === "user" ? [join(home, ".codeium", "windsurf", "mcp_config.json")] : [],
  keyPath: () => ["mcpServers"],
  toEntry: (server) => toPlainEntry(server, WORDS),
  launchFields: [...PLAIN_LAUNCH_FIELDS, "serverUrl"],
  grants: ["alwaysAllow"],
};
