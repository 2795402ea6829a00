import { plainToolName } from "../../bridge/index.ts";
import { findDuplicates } from "../../inventory/index.ts";
import {
  describePlace,
  groupBy,
  isJsonObject,
  type NamingStyle,
  OWNER_PROBLEMS,
  type Problem,
  placeOfField,
  type Server,
  type ServerEntry,
} from "../../model/index.ts";
import { findLiteralSecrets, findMissingValues, type MissingValue, placeholder } from "../../values/index.ts";
import { decide, stateOf, type Workspace } from "../workspace.ts";
import { describeServer, type ServerView } from "./describe-server.ts";

/** What there is to say about one server, and what to do about it. */
export interface Finding {
  readonly server: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  /** One sentence that tells the person what to do. */
  readonly hint?: string;
}

/** Every file that was read, every entry in it, and everything that is wrong or unwise. */
export interface Diagnosis {
  readonly files: readonly {
    readonly file: string;
    readonly servers: readonly { readonly name: string; readonly tool: string; readonly line?: number }[];
    readonly problems: readonly Problem[];
  }[];
  readonly servers: readonly ServerView[];
  readonly findings: readonly Finding[];
  readonly problems: readonly Problem[];
}

/** Looks at everything that was read. Starts nothing. */
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

/** Keys of models that the settings take from variables which are not set. */
function unsetModelKeys({ inventory, environment, places }: Workspace): Problem[] {
  return Object.entries(inventory().settings.modelProviders).flatMap(([provider, { apiKey = "" }]) => {
    const [, variable] = /^env:(.+)$/s.exec(apiKey) ?? [];
    if (variable === undefined || environment.variables[variable]) return [];
    const message = `${variable} is not set; the key of the model provider "${provider}" comes from it`;
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
  const state = stateOf(workspace, server);
  if (state.kind === "untrusted") {
    const hint = "Review what it would run, then approve it.";
    findings.push({
      server: name,
      severity: "info",
      message: `"${name}" waits for your approval: ${state.because}.`,
      hint,
    });
  }
  if (declaration.template === true) {
    const message = `"${name}" is a template, which says how a server can be run.`;
    const hint = `Approve it, then import it from ${provenance.tool} to install it.`;
    findings.push({ server: name, severity: "info", message, hint });
  } else if (state.kind === "disabled") {
    const message = `"${name}" is off because of ${state.because}; it is never started.`;
    findings.push({ server: name, severity: "info", message, hint: "Enable it to use it." });
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

/** Secrets in plain text, passwords in URLs included. The field is named, never its value. */
function plainSecrets({ name, declaration, provenance }: ServerEntry): Finding[] {
  return findLiteralSecrets(declaration.fields, declaration.expansion).map(({ field, member }) => {
    const place = placeOfField(declaration, field.replace(/[.[].*$/s, ""));
    const better =
      member !== undefined && declaration.expansion.secretValues === true
        ? "Store it in the vault and write keychain:<name> in its place."
        : "Put it into a variable and write ${NAME} in its place.";
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

/** Values that cannot be filled in as things are. The environment is not asked for a server that may not run. */
function missingValues(workspace: Workspace, server: Server): Finding[] {
  const { name, launch, declaration } = server;
  if (launch === undefined || !decide(workspace, server).allowed) return [];
  const missing = findMissingValues(launch, declaration.expansion, workspace.environment);
  return missing.map((value) => ({ server: name, ...describeMissing(name, value) }));
}

function describeMissing(server: string, { field, kind, name }: MissingValue): Omit<Finding, "server"> {
  const said = (what: string, hint: string, severity: Finding["severity"] = "warning") => ({
    severity,
    message: `"${server}": ${field} ${what}.`,
    hint,
  });
  switch (kind) {
    case "variable":
      return said(`needs ${placeholder(name)}, which is not set`, "Set it where Plugboard is started.");
    case "input":
      return said(`asks a person for "${name}"`, "Put a variable in its place to use it here.");
    case "command":
      return said(
        `would have to run ${name}, which is not done`,
        "Put a variable in its place to use it here.",
      );
    case "file":
      return said(`is read from the file ${name} when it starts`, "See that the file is there.", "info");
  }
}

/** Secrets that come from a command or a variable can go missing without a sound. */
function valueAdvice({ name, declaration }: Server): Finding[] {
  const { env, headers, headersHelper, auth, type } = declaration.fields;
  const values = [env, headers].flatMap((map) => (isJsonObject(map) ? Object.entries(map) : []));
  const findings: Finding[] = [];
  if (declaration.expansion.secretValues === true) {
    for (const [key, value] of values) {
      if (typeof value !== "string" || !value.startsWith("!")) continue;
      const message = `"${name}": ${key} is the output of a command; an empty one leaves it out.`;
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
      message: `"${name}": its headers come from a command; it goes without them when that fails.`,
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
      hint: 'Write "type" out to avoid a wrong guess.',
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
      hint: "Disable all but one, or the model sees every tool twice.",
    }));
}

/** `my-server` and `my.server` give their tools the same names, which then get a hash. */
function nameClashes(chosen: readonly Server[], all: readonly Server[], naming: NamingStyle): Finding[] {
  const key = ({ name }: Server): string => plainToolName(name, "x", naming);
  const alike = groupBy(all, key);
  return chosen.flatMap((server) => {
    const clash = alike.get(key(server))?.find((other) => other.name < server.name);
    if (clash === undefined) return [];
    const message = `"${server.name}" and "${clash.name}" give their tools the same names.`;
    const hint = "Prefer names of letters and underscores that stay apart.";
    return [{ server: server.name, severity: "warning" as const, message, hint }];
  });
}
