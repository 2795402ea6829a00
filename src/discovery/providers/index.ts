import type { DiscoveryProvider } from "../provider.ts";
import { agentPlugins } from "./agent-plugins.ts";
import { amazonQ } from "./amazon-q.ts";
import { amp } from "./amp.ts";
import { antigravity } from "./antigravity.ts";
import { auggie } from "./auggie.ts";
import { boltai } from "./boltai.ts";
import { claudeCode } from "./claude-code.ts";
import { claudeDesktop } from "./claude-desktop.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { codexToolloop } from "./codex-toolloop.ts";
import { continueDev } from "./continue.ts";
import { copilotCli } from "./copilot-cli.ts";
import { crush } from "./crush.ts";
import { cursor } from "./cursor.ts";
import { devin } from "./devin.ts";
import { factory } from "./factory.ts";
import { gemini } from "./gemini.ts";
import { goose } from "./goose.ts";
import { junie } from "./junie.ts";
import { kiloCode } from "./kilo-code.ts";
import { kiro } from "./kiro.ts";
import { librechat } from "./librechat.ts";
import { lmStudio } from "./lm-studio.ts";
import { mcpInspector } from "./mcp-inspector.ts";
import { mcpb } from "./mcpb.ts";
import { mcporter } from "./mcporter.ts";
import { mistralVibe } from "./mistral-vibe.ts";
import { native } from "./native.ts";
import { omp } from "./omp.ts";
import { opencode } from "./opencode.ts";
import { opencodeToml } from "./opencode-toml.ts";
import { pisces } from "./pisces.ts";
import { qwenCode } from "./qwen-code.ts";
import { rooCode } from "./roo-code.ts";
import { rootMcpJson } from "./root-mcp-json.ts";
import { serverJson } from "./server-json.ts";
import { trae } from "./trae.ts";
import { visualStudio } from "./visual-studio.ts";
import { vscode } from "./vscode.ts";
import { warp } from "./warp.ts";
import { windsurf } from "./windsurf.ts";
import { xcsh } from "./xcsh.ts";
import { zed } from "./zed.ts";
import { zencoder } from "./zencoder.ts";

/** All tools whose config files Plugboard reads. `priority` sets their order. */
export const PROVIDERS: readonly DiscoveryProvider[] = [
  agentPlugins,
  amazonQ,
  amp,
  antigravity,
  auggie,
  boltai,
  claudeCode,
  claudeDesktop,
  cline,
  codex,
  codexToolloop,
  continueDev,
  copilotCli,
  crush,
  cursor,
  devin,
  factory,
  gemini,
  goose,
  junie,
  kiloCode,
  kiro,
  librechat,
  lmStudio,
  mcpb,
  mcpInspector,
  mcporter,
  mistralVibe,
  native,
  omp,
  opencode,
  opencodeToml,
  pisces,
  qwenCode,
  rooCode,
  rootMcpJson,
  serverJson,
  trae,
  visualStudio,
  vscode,
  warp,
  windsurf,
  xcsh,
  zed,
  zencoder,
];
