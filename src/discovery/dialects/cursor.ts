import { type Dialect, inProject } from "./dialect.ts";
import { ENV_BRACED } from "./entry-writer.ts";
import { type EntryFormat, PLAIN_LAUNCH_FIELDS, toPlainEntry } from "./plain-entry.ts";

/** Cursor tries a remote server over HTTP, then SSE, so remote entries have no type. */
const WORDS: EntryFormat = {
  label: "Cursor",
  placeholders: ENV_BRACED,
  types: { stdio: "stdio", http: "", sse: "" },
  names: { envFile: "envFile" },
  environment: "all",
};

/** Cursor: the project's file or the user's. */
export const cursor: Dialect = {
  id: "cursor",
  label: "Cursor",
  format: "json",
  files: (where, scope) =>
    scope === "project"
      ? inProject(where, ".cursor", "mcp.json")
      : [where.join(where.home, ".cursor", "mcp.json")],
  keyPath: () => ["mcpServers"],
  toEntry: (server) => toPlainEntry(server, WORDS),
  launchFields: [...PLAIN_LAUNCH_FIELDS, "auth"],
  grants: ["autoApprove", "alwaysAllow"],
};
