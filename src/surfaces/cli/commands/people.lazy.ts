import { openTeamAdmin, type PersonRow, type TeamAdmin } from "../../../team/team-admin.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../../shared/command.ts";
import { renderTable } from "../../shared/render/table.ts";
import { usageError } from "../../shared/usage-error.ts";
import { configFileOf } from "./config-file.ts";

const ROLES = ["person", "auditor", "administrator"] as const;

/** Lists, changes or deletes people. */
export async function people(context: CommandContext): Promise<ExitCode> {
  const { words, standalone, terminal, json, printJson } = context;
  const [verb = "", name, value, ...more] = words;
  const configFile = configFileOf(context);
  if (configFile === undefined)
    throw usageError(
      "Specify the gateway's config file: --config gateway.jsonc",
      "Or set PLUGBOARD_GATEWAY_CONFIG.",
    );
  const isNamed = ["add", "role", "disable", "enable", "delete"].includes(verb);
  if (!isNamed && verb !== "list" && verb !== "administrator")
    throw usageError(`Unknown subcommand: people ${verb}`);
  if (isNamed && name === undefined) throw usageError(`Specify the person: plugboard people ${verb} <name>`);
  const extra = verb === "role" ? more[0] : verb === "administrator" ? name : value;
  if (extra !== undefined) throw usageError(`Unexpected argument: ${extra}`);
  const admin = await openTeamAdmin(configFile, standalone?.hostOptions());
  standalone?.onExit(admin);
  if (verb === "list") return list(context, await admin.people(name));
  if (verb === "delete") return remove(context, admin, name ?? "");
  if (verb === "administrator") {
    const link = await admin.administratorLink();
    if (json) printJson({ link });
    else {
      terminal.err("The first person who opens this within an hour and signs in becomes an administrator:\n");
      terminal.out(`${link}\n`);
    }
    return 0;
  }
  const changed = await change(admin, verb, name ?? "", value);
  if (json) printJson(changed);
  else terminal.out(`${describe(changed)}\n`);
  return 0;
}

function change(admin: TeamAdmin, verb: string, name: string, value: string | undefined): Promise<PersonRow> {
  if (verb === "add") return admin.addPerson(name);
  if (verb !== "role") return admin.setDisabled(name, verb === "disable");
  const role = ROLES.find((one) => one === value);
  if (role === undefined) throw usageError(`The role must be one of ${ROLES.join(", ")}.`);
  return admin.setRole(name, role);
}

async function remove(
  { flags, json, printJson, terminal }: CommandContext,
  admin: TeamAdmin,
  name: string,
): Promise<ExitCode> {
  if (flags["yes"] !== true)
    throw usageError(
      `This deletes "${safeLine(name)}" with all tokens, sign-ins, secrets and approvals.`,
      "Repeat with --yes to do it.",
    );
  const { person, removed } = await admin.removePerson(name);
  if (json) printJson({ person, removed });
  else terminal.out(`Deleted ${safeLine(person.name ?? person.subject)}.\n`);
  return 0;
}

function list({ json, printJson, terminal, style }: CommandContext, rows: readonly PersonRow[]): ExitCode {
  if (json) printJson({ people: rows });
  else if (rows.length === 0) terminal.out("There are no people yet.\n");
  else
    for (const line of renderTable(
      rows.map((person) => [
        { text: safeLine(person.name ?? person.subject) },
        { text: person.role },
        { text: person.disabledAt === undefined ? "" : "disabled" },
        { text: safeLine(person.groups.join(", ")) },
        { text: person.id, paint: style.dim },
      ]),
    ))
      terminal.out(`${line}\n`);
  return 0;
}

function describe({ name, subject, role, disabledAt }: PersonRow): string {
  return `${safeLine(name ?? subject)}: ${role}${disabledAt === undefined ? "" : ", disabled"}`;
}
