import type { Command } from "../command.ts";
import { call } from "./call.ts";
import { list } from "./list.ts";
import { status } from "./status.ts";
import { test } from "./test.ts";
import { tools } from "./tools.ts";
import { trust } from "./trust.ts";

/** Every verb, in the order of help. */
export const COMMANDS: readonly Command[] = [list, tools, call, test, status, trust];
