import { opencodeCapabilityRows } from "./opencode-capabilities.ts";
import { opencodeCommandRows } from "./opencode-commands-and-security.ts";
import { opencodeConfigRows } from "./opencode-config.ts";
import { opencodeServerRows } from "./opencode-servers.ts";
import { opencodeSignInAndStatusRows } from "./opencode-sign-in-and-status.ts";
import type { SeedRow } from "./seed-row.ts";

/** Seed 004, OpenCode's MCP integration. */
export const opencode: readonly SeedRow[] = [
  ...opencodeConfigRows,
  ...opencodeCapabilityRows,
  ...opencodeSignInAndStatusRows,
  ...opencodeServerRows,
  ...opencodeCommandRows,
];
