import { type Dialect, inProject } from "./dialect.ts";
import { type EntryWords, PLAIN_LAUNCH_FIELDS, sayPlainly } from "./plain-entry.ts";
import { BRACED, Wording } from "./wording.ts";

const WORDS: EntryWords = {
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
    const wording = new Wording(WORDS.label, WORDS.placeholders);
    if (RESERVED.has(server.name)) wording.refuse("reserves this name");
    return sayPlainly(server, WORDS, wording);
  },
  launchFields: [...PLAIN_LAUNCH_FIELDS, "headersHelper"],
};
