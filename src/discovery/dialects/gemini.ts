import { type Dialect, inProject } from "./dialect.ts";
import { BRACED } from "./entry-writer.ts";
import { type EntryFormat, PLAIN_LAUNCH_FIELDS, toPlainEntry } from "./plain-entry.ts";

/** Gemini CLI removes variables that look secret from the environment unless `env` lists them. */
const WORDS: EntryFormat = {
  label: "Gemini CLI",
  placeholders: { ...BRACED, trap: /\$[A-Za-z_{]/ },
  types: { stdio: "", http: "http", sse: "sse" },
  names: { cwd: "cwd", timeout: "timeout", allowTools: "includeTools", denyTools: "excludeTools" },
  environment: "little",
};

/** Gemini CLI: `mcpServers` in the project's settings or the user's. */
export const gemini: Dialect = {
  id: "gemini",
  label: "Gemini CLI",
  format: "json",
  files: (where, scope) =>
    scope === "project"
      ? inProject(where, ".gemini", "settings.json")
      : [where.join(where.home, ".gemini", "settings.json")],
  keyPath: () => ["mcpServers"],
  toEntry: (server) => toPlainEntry(server, WORDS),
  launchFields: [...PLAIN_LAUNCH_FIELDS, "httpUrl", "tcp", "oauth", "authProviderType"],
  grants: ["trust"],
};
