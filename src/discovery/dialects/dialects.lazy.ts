import { claudeCode } from "./claude-code.ts";
import { claudeDesktop } from "./claude-desktop.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { copilotCli } from "./copilot-cli.ts";
import { cursor } from "./cursor.ts";
import type { Dialect } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { vscode } from "./vscode.ts";
import { windsurf } from "./windsurf.ts";
import { zed } from "./zed.ts";

/** All tools whose config files Plugboard can write, in alphabetical order. */
export const DIALECTS: readonly Dialect[] = [
  claudeCode,
  claudeDesktop,
  cline,
  codex,
  copilotCli,
  cursor,
  gemini,
  opencode,
  vscode,
  windsurf,
  zed,
];
