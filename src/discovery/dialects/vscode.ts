import { type Dialect, inProject } from "./dialect.ts";
import { ENV_BRACED } from "./entry-writer.ts";
import { type EntryFormat, PLAIN_LAUNCH_FIELDS, toPlainEntry } from "./plain-entry.ts";

const WORDS: EntryFormat = {
  label: "VS Code",
  placeholders: ENV_BRACED,
  types: { stdio: "stdio", http: "http", sse: "sse" },
  names: { cwd: "cwd", envFile: "envFile" },
  environment: "all",
};

/** VS Code: the key `servers` in the workspace's file or in the default profile's. */
export const vscode: Dialect = {
  id: "vscode",
  label: "VS Code",
  format: "json",
  files: (where, scope) =>
    scope === "project"
      ? inProject(where, ".vscode", "mcp.json")
      : [where.join(where.appData, "Code", "User", "mcp.json")],
  keyPath: () => ["servers"],
  toEntry: (server) => toPlainEntry(server, WORDS),
  launchFields: [...PLAIN_LAUNCH_FIELDS, "oauth"],
};
