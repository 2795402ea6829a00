import { openTeamAdmin, parseLifetime, type TeamAdmin, type TokenRow } from "../../../team/team-admin.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext, ExitCode, FlagValue } from "../../shared/command.ts";
import { renderTable } from "../../shared/render/table.ts";
import { usageError } from "../../shared/usage-error.ts";
import { configFileOf } from "./config-file.ts";

/** Creates, lists or revokes tokens. */
export async function token(context: CommandContext): Promise<ExitCode> {
  const { words, standalone } = context;
  const [verb, which] = words;
  const configFile = configFileOf(context);
  if (configFile === undefined)
    throw usageError(
      "Specify the gateway's config file: --config gateway.jsonc",
      "Or set PLUGBOARD_GATEWAY_CONFIG.",
    );
  if (verb !== "create" && verb !== "list" && verb !== "revoke")
    throw usageError(`Unknown subcommand: token ${verb}`, "Use create, list or revoke.");
  if (verb === "revoke" && which === undefined)
    throw usageError("Specify the token: plugboard token revoke <id or name>");
  if (verb !== "revoke" && which !== undefined) throw usageError(`Unexpected argument: ${which}`);
  const admin = await openTeamAdmin(configFile, standalone?.hostOptions());
  standalone?.onExit(admin);
  if (verb === "create") return create(context, admin);
  return verb === "list" ? list(context, admin) : revoke(context, admin, which ?? "");
}

async function create(
  { flags, json, terminal, printJson }: CommandContext,
  admin: TeamAdmin,
): Promise<ExitCode> {
  const { person, name, expires } = flags;
  if (typeof person !== "string") throw usageError("Specify the token's person: --person ada");
  if (typeof name !== "string") throw usageError("Specify the token's name: --name laptop");
  if (typeof expires !== "string") throw usageError("Specify how long the token is valid: --expires 90d");
  const lifetimeMs = parseLifetime(expires);
  if (lifetimeMs === undefined) throw usageError(`Invalid time: ${expires}`, "Use 30m, 12h or 90d.");
  const [servers, bundles] = [listOf(flags["server"]), listOf(flags["bundle"])];
  const scopes = {
    ...(servers && { servers }),
    ...(bundles && { bundles }),
    ...(flags["read-only"] === true && { readOnly: true }),
  };
  const { text, token: row } = await admin.createToken({ person, name, lifetimeMs, scopes });
  if (json) printJson({ token: text, ...row });
  else {
    terminal.err(
      `Token "${safeLine(name)}" of ${safeLine(row.person.name)}, valid until ${dayOf(row)}. It is shown only now:\n`,
    );
    terminal.out(`${text}\n`);
  }
  return 0;
}

async function list(context: CommandContext, admin: TeamAdmin): Promise<ExitCode> {
  const { flags, json, terminal, printJson, style } = context;
  const person = flags["person"];
  const tokens = await admin.tokens(typeof person === "string" ? person : undefined);
  if (json) printJson({ tokens });
  else if (tokens.length === 0) terminal.out("There are no tokens.\n");
  else
    for (const line of renderTable(
      tokens.map((row) => [
        { text: safeLine(row.name) },
        { text: safeLine(row.person.name) },
        { text: row.state === "valid" ? `until ${dayOf(row)}` : row.state },
        { text: safeLine(describeScopes(row)) },
        { text: row.id, paint: style.dim },
      ]),
    ))
      terminal.out(`${line}\n`);
  return 0;
}

async function revoke(
  { flags: { person }, json, terminal, printJson }: CommandContext,
  admin: TeamAdmin,
  which: string,
): Promise<ExitCode> {
  const revoked = await admin.revokeTokens(which, typeof person === "string" ? person : undefined);
  if (json) printJson({ revoked });
  else if (revoked.length === 0) terminal.err(`There is no valid token "${safeLine(which)}".\n`);
  else
    for (const row of revoked)
      terminal.out(`Revoked "${safeLine(row.name)}" of ${safeLine(row.person.name)}.\n`);
  return revoked.length === 0 ? 1 : 0;
}

function describeScopes({ scopes }: TokenRow): string {
  const named = Object.entries(scopes).map(([key, value]) =>
    Array.isArray(value) ? `${key} ${value.join(", ")}` : "read-only",
  );
  return named.length === 0 ? "all rights of the person" : `only ${named.join("; ")}`;
}

function dayOf({ expiresAt }: TokenRow): string {
  return new Date(expiresAt).toISOString().slice(0, 10);
}

function listOf(value: FlagValue): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.flatMap((text: string) => text.split(",")).filter((text) => text !== "");
}
