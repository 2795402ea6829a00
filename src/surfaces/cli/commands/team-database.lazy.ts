import type { StoreSettings } from "../../../gateway.ts";
import {
  forgetTeamKey,
  importToTeam,
  migrateTeamStore,
  rotateTeamKeys,
} from "../../../gateway-store.lazy.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../../shared/command.ts";
import { count } from "../../shared/render/server-list.ts";
import { usageError } from "../../shared/usage-error.ts";
import { findDatabase } from "./find-database.ts";

/** Returns the database of a team. Throws if none is configured. */
async function databaseOf(context: CommandContext): Promise<StoreSettings> {
  const settings = await findDatabase(context);
  if (settings === undefined)
    throw usageError(
      "No database is configured.",
      "Specify the gateway's config file with --config, or set PLUGBOARD_GATEWAY_DATABASE_URL.",
    );
  return settings;
}

/** Runs `serve --migrate-only` and `serve --rotate-key`. */
export async function prepareDatabase(context: CommandContext): Promise<ExitCode> {
  const { flags, json, terminal, standalone } = context;
  const settings = await databaseOf(context);
  const options = standalone?.hostOptions() ?? {};
  if (flags["migrate-only"] === true) {
    const migrations = await migrateTeamStore(settings, options);
    if (json) context.printJson({ migrations });
    else if (migrations.length === 0) terminal.out("The tables are up to date.\n");
    else terminal.out(migrations.map((name) => `Applied ${name}.\n`).join(""));
  }
  if (flags["rotate-key"] === true) {
    const rows = await rotateTeamKeys(settings, options);
    const [first] = settings.keys;
    if (json) context.printJson({ rows });
    else
      terminal.out(
        `All values are now encrypted with the key "${first?.id}" (${rows} changed). Earlier keys are no longer needed.\n`,
      );
  }
  return 0;
}

/** Runs `database`. */
export async function changeDatabase(context: CommandContext): Promise<ExitCode> {
  const { words, program } = context;
  const [action, name = ""] = words;
  if (action !== "import" && action !== "forget-key")
    throw usageError(
      `Unknown argument: ${action}`,
      `Usage: ${program} database import <person> | forget-key <id>`,
    );
  const settings = await databaseOf(context);
  return action === "import" ? importData(context, settings, name) : forgetKey(context, settings, name);
}

async function importData(
  { json, printJson, terminal, standalone }: CommandContext,
  settings: StoreSettings,
  person: string,
): Promise<ExitCode> {
  const imported = await importToTeam(settings, standalone?.hostOptions() ?? {}, person);
  if (json) printJson(imported);
  else {
    const { signIns, secrets, approvals, pins, kept } = imported;
    terminal.out(
      `Copied to ${safeLine(person)}: ${count(signIns, "sign-in")}, ${count(secrets, "secret")}, ${count(approvals, "approval")}, ${count(pins, "server")} with reviewed tools.\n`,
    );
    if (kept > 0)
      terminal.out(
        `${count(kept, "entry was", "entries were")} not copied, because the team already has ${kept === 1 ? "it" : "them"}.\n`,
      );
  }
  return 0;
}

async function forgetKey(
  { flags, json, printJson, terminal, standalone }: CommandContext,
  settings: StoreSettings,
  id: string,
): Promise<ExitCode> {
  const isConfirmed = flags["yes"] === true;
  const rows = await forgetTeamKey(settings, standalone?.hostOptions() ?? {}, id, isConfirmed);
  if (json) printJson({ isDeleted: isConfirmed, rows });
  else {
    const list = Object.entries(rows).map(([table, count]) => `  ${table}: ${count}\n`);
    const what = isConfirmed
      ? "Deleted the values that the key protected. People must sign in again:\n"
      : "This would delete the values that the key protects. If you are sure that the key is lost, repeat with --yes:\n";
    terminal.out(what + list.join(""));
  }
  return isConfirmed ? 0 : 3;
}
