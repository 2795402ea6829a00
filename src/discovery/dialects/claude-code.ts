import { type Dialect, inProject } from "./dialect.ts";
import { BRACED, EntryWriter } from "./entry-writer.ts";
import { type EntryFormat, PLAIN_LAUNCH_FIELDS, toPlainEntry } from "./plain-entry.ts";

const WORDS: EntryFormat = {
  label: "Claude Code",
  placeholders: BRACED,
  types: { stdio: "stdio", http: "http", sse: "sse" },
  names: { timeout: "timeout" },
  environment: "all",
};

const RESERVED = new Set(["workspace", "Claude Preview", "Claude Browser"]);

/** Claude Code: the project's `.mcp.json`. The user file is not written because every running session rewrites it. */
export const claudeCode: Dialect = {
  id: "claude-code",
  label: "Claude Code",
  format: "json",
  files: (where, scope) => (scope === "project" ? inProject(where, ".mcp.json") : []),
  leftAlone: {
    user: {
      why: "Claude Code rewrites its user file constantly, so Plugboard does not edit it.",
      hint: "Use the project scope, or add the server with Claude Code: claude mcp add-json --scope user <name> '<json>'.",
    },
  },
  keyPath: () => ["mcpServers"],
  toEntry(server) {
    const writer = new EntryWriter(WORDS.label, WORDS.placeholders);
    if (RESERVED.has(server.name)) writer.refuse("reserves this name");
    return toPlainEntry(server, WORDS, writer);
  },
  launchFields: [...PLAIN_LAUNCH_FIELDS, "headersHelper"],
};
