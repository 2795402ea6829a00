import {
  describePlace,
  isGateway,
  type Problem,
  type Profile,
  type Server,
  type ServerEntry,
} from "../model/index.ts";

export interface MergeRules {
  /** Returns whether the user approved this launch. Called only for project entries. */
  isApproved(entry: ServerEntry): boolean;
  /** The names that the user's own file disables and enables. */
  readonly disabled: ReadonlySet<string>;
  readonly enabled: ReadonlySet<string>;
  /** The profile in use. */
  readonly profile?: Profile | undefined;
  /** The names in `resolveInProject` of the user's own file. */
  readonly resolveInProject?: ReadonlySet<string>;
}

/**
 * Returns one server per name. Entries are in order of precedence and the first wins as a whole, even if it is
 * disabled or invalid. The others remain visible as shadowed. For safety, an unapproved project entry never takes the
 * name of a user's or managed entry.
 */
export function mergeEntries(byPrecedence: readonly ServerEntry[], rules: MergeRules): Server[] {
  const byName = new Map<string, ServerEntry[]>();
  for (const entry of byPrecedence) {
    const sameName = byName.get(entry.name);
    if (sameName === undefined) byName.set(entry.name, [entry]);
    else sameName.push(entry);
  }
  return [...byName.values()].flatMap((entries) => {
    const [winner, ...shadowed] = rank(entries, rules);
    if (winner === undefined) return [];
    const server = applyResolveInProject(applySwitches(winner, rules), rules);
    return [
      { ...server, shadowed, problems: [...server.problems, ...shadowingProblems(server, shadowed, rules)] },
    ];
  });
}

function rank(entries: readonly ServerEntry[], rules: MergeRules): ServerEntry[] {
  const unapproved = new Set(
    entries.filter((entry) => entry.provenance.tier === "project" && !rules.isApproved(entry)),
  );
  return [...entries.filter((entry) => !unapproved.has(entry)), ...unapproved];
}

function applySwitches(entry: ServerEntry, { disabled, enabled, profile }: MergeRules): ServerEntry {
  if (disabled.has(entry.name))
    return { ...entry, enabled: false, enabledBy: '"disabledServers" in your own config' };
  if (profile !== undefined && isTurnedOff(entry, profile))
    return {
      ...entry,
      enabled: false,
      enabledBy: `the profile "${profile.name}", which does not include it`,
    };
  if (enabled.has(entry.name))
    return { ...entry, enabled: true, enabledBy: '"enabledServers" in your own config' };
  if (startsThisProgram(entry))
    return { ...entry, enabled: false, enabledBy: "it starts Plugboard, which already has these servers" };
  return entry;
}

/** What starts a program on this machine. `ssh host plugboard serve` gives access to the servers of another one. */
const LOCAL = /(?:^|[\\/])(?:plugboard|node|npx|bunx?|deno|pnpm|yarn|cmd)(?:\.(?:cmd|exe))?$/;

/** Returns whether an entry gives Plugboard's servers to another tool, as `export --gateway` writes it. Its tools would all appear twice. */
function startsThisProgram(entry: ServerEntry): boolean {
  const { launch, provenance } = entry;
  return (
    launch?.transport === "stdio" &&
    LOCAL.test(launch.command) &&
    provenance.tool !== "plugboard" &&
    provenance.scope !== "program" &&
    isGateway(entry)
  );
}

/**
 * A profile only turns servers off, so it never starts anything. A project's profile does not apply to the user's own servers, and
 * none applies to the servers of the program that created the host.
 */
function isTurnedOff({ name, provenance }: ServerEntry, { servers, source }: Profile): boolean {
  if (provenance.scope === "program" || servers.includes(name)) return false;
  return source.tier !== "project" || provenance.tier === "project";
}

/** A project cannot set this: not for a user's server, and its own servers use the project's folder anyway. */
function applyResolveInProject(entry: ServerEntry, { resolveInProject }: MergeRules): ServerEntry {
  const isOwn = entry.provenance.tier !== "project";
  const value = isOwn && (entry.resolveInProject || resolveInProject?.has(entry.name) === true);
  return value === entry.resolveInProject ? entry : { ...entry, resolveInProject: value };
}

/** Reports an unusable entry that hides a usable one with the same name. */
function shadowingProblems(
  winner: ServerEntry,
  shadowed: readonly ServerEntry[],
  rules: MergeRules,
): Problem[] {
  if (winner.launch !== undefined && winner.enabled) return [];
  const hidden = shadowed.find((entry) => entry.launch !== undefined && applySwitches(entry, rules).enabled);
  if (hidden === undefined) return [];
  const { file, line, column } = winner.provenance;
  const what = winner.launch === undefined ? "invalid" : "disabled";
  return [
    {
      code: "shadows-valid",
      severity: "warning",
      message: `${describePlace(winner.provenance)} server "${winner.name}" is ${what} and hides the one in ${describePlace(hidden.provenance)}`,
      server: winner.name,
      file,
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    },
  ];
}
