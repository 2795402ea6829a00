import type { Command } from "../../shared/command.ts";
import { SHARED_COMMANDS } from "../../shared/commands/index.ts";
import { completion } from "./completion.ts";
import { uninstall } from "./uninstall.ts";

/**
 * Every command, in the order of help. Interactive mode lacks the last two: Tab completes there, and a running session would
 * write again what `uninstall` removed.
 */
export const COMMANDS: readonly Command[] = [...SHARED_COMMANDS, completion, uninstall];
