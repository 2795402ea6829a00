import type { Command } from "../../shared/command.ts";
import { SHARED_COMMANDS } from "../../shared/commands/index.ts";
import { advisories } from "./advisories.ts";
import { audit } from "./audit.ts";
import { completion } from "./completion.ts";
import { daemon } from "./daemon.ts";
import { dashboard } from "./dashboard.ts";
import { database } from "./database.ts";
import { forget } from "./forget.ts";
import { generate } from "./generate.ts";
import { inventory } from "./inventory.ts";
import { lock, verify } from "./lock.ts";
import { people } from "./people.ts";
import { ps } from "./ps.ts";
import { sandbox } from "./sandbox.ts";
import { serve } from "./serve.ts";
import { tasks } from "./tasks.ts";
import { token } from "./token.ts";
import { uninstall } from "./uninstall.ts";

/**
 * Every command, in the order of the help text. Interactive mode has only the shared ones: `serve` and `generate` are for
 * programs, Tab completes there, and a running session would recreate the files that `uninstall` removes.
 */
export const COMMANDS: readonly Command[] = [
  ...SHARED_COMMANDS,
  lock,
  verify,
  inventory,
  advisories,
  sandbox,
  serve,
  daemon,
  dashboard,
  token,
  people,
  ps,
  tasks,
  audit,
  database,
  forget,
  generate,
  completion,
  uninstall,
];
