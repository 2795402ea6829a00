import { plainToolName } from "../../bridge/index.ts";
import { findDuplicates } from "../../inventory/index.ts";
import {
  describePlace,
  groupBy,
  isJsonObject,
  type NamingStyle,
  OWNER_PROBLEMS,
  type Problem,
  positionOfField,
  type Server,
  type ServerEntry,
} from "../../model/index.ts";
import {
  findLiteralSecrets,
  findMissingValues,
  type MissingValue,
  mayHoldSecrets,
  placeholder,
} from "../../values/index.ts";
import { decide, stateOf, type Workspace } from "../workspace.ts";
import { describeServer, type ServerView } from "./describe-server.ts";

/** An observation about one server, with advice. */
export interface Finding {
  /** The server's name. */
  readonly server: string;
  /** How serious it is. */
  readonly severity: "error" | "warning" | "info";
  /** What was found. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** All config files and servers, with everything that is wrong or could be improved. */
export interface Diagnosis {
  /** The config files that were read, with their entries and problems. */
  readonly files: readonly {
    readonly file: string;
    readonly servers: readonly { readonly name: string; readonly tool: string; readonly line?: number }[];
    readonly problems: readonly Problem[];
  }[];
  /** The checked servers. */
  readonly servers: readonly ServerView[];
  /** Observations about single servers. */
  readonly findings: readonly Finding[];
  /** Problems that do not belong to one of the files. */
  readonly problems: readonly Problem[];
}

/** Checks all config files and entries that were read. Starts nothing. */
export function diagnose(workspace: Workspace, only?: string): Diagnosis {
  const { servers, files, problems, settings } = workspace.inventory();
  const all = [...servers.values()];
  const chosen = only === undefined ? all : all.filter(({ name }) => name === only);
  const entries = all.flatMap((server): ServerEntry[] => [server, ...server.shadowed]);
  const wanted = new Set(
    chosen.flatMap(({ provenance, shadowed }) => [
      provenance.file,
      ...shadowed.map((entry) => entry.provenance.file),
    ]),
  );
  return {
    files: files
      .filter((file) => only === undefined || wanted.has(file))
      .map((file) => ({
        file,
        servers: entries
          .filter(({ provenance }) => provenance.file === file)
          .map(({ name, provenance: { tool, line } }) => ({
            name,
            tool,
            ...(line !== undefined && { line }),
          })),
        problems: problems.filter((problem) => problem.file === file),
      })),
    servers: chosen.map((server) => describeServer(server, stateOf(workspace, server))),
    findings: [
      ...chosen.flatMap((server) => findingsOf(workspace, server)),
      ...duplicatesAmong(chosen, all),
      ...nameClashes(chosen, all, settings.naming),
    ],
    problems: [
      ...problems.filter(({ file }) => file === undefined || !files.includes(file)),
      ...unsetModelKeys(workspace),
    ],
  };
}

/** Returns a problem for each model API key that comes from an unset variable. */
function unsetModelKeys({ inventory, environment, places }: Workspace): Problem[] {
  return Object.entries(inventory().settings.modelProviders).flatMap(([provider, { apiKey = "" }]) => {
    const [, variable] = /^env:(.+)$/s.exec(apiKey) ?? [];
    if (variable === undefined || environment.variables[variable]) return [];
    const message = `${variable} is not set; it supplies the API key for the model provider "${provider}"`;
    return [{ code: "settings-invalid", severity: "warning", message, file: places.settings }];
  });
}

function findingsOf(workspace: Workspace, server: Server): Finding[] {
  const { name, declaration, provenance, shadowed } = server;
  const findings: Finding[] = server.problems.map(({ severity, message }) => ({
    server: name,
    severity,
    message,
  }));
  const { state, because } = stateOf(workspace, server);
  if (state === "untrusted") {
    const hint = "Review what it would run, then approve it.";
    findings.push({
      server: name,
      severity: "info",
      message: `"${name}" requires your approval: ${because}.`,
      hint,
    });
  }
  if (declaration.template === true) {
    const message = `"${name}" is a template that describes how to run a server.`;
    const hint = `Approve it, then import it from ${provenance.tool} to install it.`;
    findings.push({ server: name, severity: "info", message, hint });
  } else if (state === "disabled") {
    const message = `"${name}" is disabled by ${because}; it is never started.`;
    const isOffByProfile = because !== undefined && because.startsWith('the profile "');
    const hint = isOffByProfile ? "Stop using the profile, or add the server to it." : "Enable it to use it.";
    findings.push({ server: name, severity: "info", message, hint });
  }
  for (const code of declaration.owner?.problems ?? []) {
    const severity = declaration.owner?.valid === false ? "warning" : "info";
    findings.push({
      server: name,
      severity,
      message: `${describePlace(provenance)} "${name}": ${provenance.tool} ${OWNER_PROBLEMS[code]}.`,
    });
  }
  for (const entry of shadowed) {
    findings.push({
      server: name,
      severity: "warning",
      message: `"${name}" is also in ${describePlace(entry.provenance)}, which is not used.`,
      hint: "Keep server names unique across all files.",
    });
  }
  return [
    ...findings,
    ...[server, ...shadowed].flatMap(plainSecrets),
    ...valueAdvice(server),
    ...missingValues(workspace, server),
  ];
}

/** Returns a finding for each secret in plain text, including passwords in URLs. Names the field but never shows its value. */
function plainSecrets({ name, declaration, provenance }: ServerEntry): Finding[] {
  return findLiteralSecrets(declaration.fields, declaration.expansion).map(({ field, member }) => {
    const place = positionOfField(declaration, field.replace(/[.[].*$/s, ""));
    const better =
      member !== undefined && declaration.expansion.secretValues === true
        ? "Store it in the vault and write keychain:<name> instead."
        : "Put it in a variable and write ${NAME} instead.";
    return {
      server: name,
      severity: "warning" as const,
      message: `"${name}": ${field} contains a secret in plain text (${describePlace({ ...provenance, ...place })}).`,
      hint:
        provenance.tier === "project"
          ? `${better} Then revoke the secret: it may be in the repository's history.`
          : better,
    };
  });
}

/** Returns a finding for each value that cannot be resolved. Skips servers that may not run. */
function missingValues(workspace: Workspace, server: Server): Finding[] {
  const { name, launch, declaration } = server;
  if (launch === undefined || !decide(workspace, server).allowed) return [];
  const missing = findMissingValues(launch, declaration.expansion, workspace.environment);
  const stored = (declaration.inputs ?? []).map(({ id, secret }) => ({ id, isSecret: secret === true }));
  /** Stored values of inputs are checked by `checkValues`. */
  const isAsked = ({ kind, name: id, field }: MissingValue): boolean =>
    kind === "input" && stored.some((input) => input.id === id && (!input.isSecret || mayHoldSecrets(field)));
  return missing
    .filter((value) => !isAsked(value))
    .map((value) => ({ server: name, ...describeMissing(name, value) }));
}

function describeMissing(server: string, { field, kind, name }: MissingValue): Omit<Finding, "server"> {
  const finding = (what: string, hint: string, severity: Finding["severity"] = "warning") => ({
    severity,
    message: `"${server}": ${field} ${what}.`,
    hint,
  });
  switch (kind) {
    case "variable":
      return finding(
        `needs ${placeholder(name)}, which is not set`,
        "Set it in the environment that Plugboard runs in.",
      );
    case "input":
      return finding(
        `needs the secret input "${name}", but secrets are available only in env and headers`,
        "To use the server here, replace it with a variable.",
      );
    case "command":
      return finding(
        `contains the command ${name}, which is not run`,
        "To use the server here, replace it with a variable.",
      );
    case "file":
      return finding(`is read from the file ${name} at startup`, "Check that the file exists.", "info");
  }
}

/** Returns findings about settings that can fail silently, such as secrets from a command. */
function valueAdvice({ name, declaration }: Server): Finding[] {
  const { env, headers, headersHelper, auth, type } = declaration.fields;
  const values = [env, headers].flatMap((map) => (isJsonObject(map) ? Object.entries(map) : []));
  const findings: Finding[] = [];
  if (declaration.expansion.secretValues === true) {
    for (const [key, value] of values) {
      if (typeof value !== "string" || !value.startsWith("!")) continue;
      const message = `"${name}": ${key} is the output of a command; it is omitted if the output is empty.`;
      findings.push({
        server: name,
        severity: "warning",
        message,
        hint: "Check that the command prints the same text every time.",
      });
    }
  }
  if (headersHelper !== undefined) {
    findings.push({
      server: name,
      severity: "warning",
      message: `"${name}": its headers come from a command; they are omitted if the command fails.`,
      hint: "Check that the command prints a JSON object of headers.",
    });
  }
  if (isJsonObject(auth) && auth["type"] === "oauth" && typeof auth["credentialId"] !== "string") {
    const message = `"${name}": its auth has no credentialId, so no token is sent.`;
    findings.push({
      server: name,
      severity: "warning",
      message,
      hint: "Store a valid credentialId, or sign in.",
    });
  }
  if (type === undefined && (declaration.transport?.inferred ?? declaration.transport === undefined)) {
    const message = `"${name}" has no type.`;
    findings.push({
      server: name,
      severity: "warning",
      message,
      hint: 'Set "type" to avoid a wrong guess.',
    });
  }
  return findings;
}

function duplicatesAmong(chosen: readonly Server[], all: readonly Server[]): Finding[] {
  return findDuplicates(all)
    .filter((names) => names.some((name) => chosen.some((server) => server.name === name)))
    .map((names) => ({
      server: names[0] ?? "",
      severity: "info",
      message: `${names.map((name) => `"${name}"`).join(" and ")} are the same connection under different names.`,
      hint: "Disable all but one. Otherwise the model sees every tool twice.",
    }));
}

/** Returns a finding for servers such as `my-server` and `my.server`: their tools get the same names, and then a hash is added. */
function nameClashes(chosen: readonly Server[], all: readonly Server[], naming: NamingStyle): Finding[] {
  const key = ({ name }: Server): string => plainToolName(name, "x", naming);
  const groups = groupBy(all, key);
  return chosen.flatMap((server) => {
    const clash = groups.get(key(server))?.find((other) => other.name < server.name);
    if (clash === undefined) return [];
    const message = `"${server.name}" and "${clash.name}" give their tools the same names.`;
    const hint = "Rename one server. Prefer names with only letters and underscores.";
    return [{ server: server.name, severity: "warning" as const, message, hint }];
  });
}
