import type { Command } from "../../shared/command.ts";
import { SHARED_COMMANDS } from "../../shared/commands/index.ts";
import { completion } from "./completion.ts";
import { uninstall } from "./uninstall.ts";

/**
 * Every command, in the order of the help text. Interactive mode does not have the last two: Tab completes there, and a
 * running session would recreate the files that `uninstall` removes.
 */
export const COMMANDS: readonly Command[] = [...SHARED_COMMANDS, completion, uninstall];
