/** The tools that `export` and `sync` write for. A test compares them with the dialects. */
export const EXPORT_TOOLS: readonly string[] = [
  "claude-code",
  "claude-desktop",
  "cline",
  "codex",
  "copilot-cli",
  "cursor",
  "gemini",
  "opencode",
  "vscode",
  "windsurf",
  "zed",
];
