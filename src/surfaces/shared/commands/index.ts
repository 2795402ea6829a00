import type { Command } from "../command.ts";
import { add } from "./add.ts";
import { auth } from "./auth.ts";
import { bundles } from "./bundles.ts";
import { call } from "./call.ts";
import { doctor } from "./doctor.ts";
import { explain } from "./explain.ts";
import { exportServers } from "./export.ts";
import { importServers } from "./import.ts";
import { list } from "./list.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { logs } from "./logs.ts";
import { move } from "./move.ts";
import { outdated, upgrade } from "./outdated.ts";
import { pins } from "./pins.ts";
import { prompt } from "./prompt.ts";
import { prompts } from "./prompts.ts";
import { read } from "./read.ts";
import { reload } from "./reload.ts";
import { remove } from "./remove.ts";
import { resources } from "./resources.ts";
import { search } from "./search.ts";
import { secret } from "./secret.ts";
import { set, unset } from "./set.ts";
import { status } from "./status.ts";
import { disable, enable } from "./switch.ts";
import { sync } from "./sync.ts";
import { test } from "./test.ts";
import { tools } from "./tools.ts";
import { trust } from "./trust.ts";
import { untrust } from "./untrust.ts";
import { use } from "./use.ts";

/** The commands that the command line and `/mcp` share, in the order of the help text. */
export const SHARED_COMMANDS: readonly Command[] = [
  list,
  tools,
  call,
  resources,
  read,
  prompts,
  prompt,
  test,
  status,
  reload,
  logs,
  trust,
  untrust,
  pins,
  bundles,
  login,
  logout,
  auth,
  secret,
  search,
  add,
  set,
  unset,
  outdated,
  upgrade,
  remove,
  enable,
  disable,
  use,
  move,
  importServers,
  exportServers,
  sync,
  explain,
  doctor,
];
