import type { JsonValue, ServerEntry } from "../../model/index.ts";
import { approvalOf, approvalStatus, type GivenApproval } from "../../policy/index.ts";
import { parseSandbox } from "../../sandbox/index.ts";

/** Returns an entry as it runs with a sandbox that a person chose. An entry with its own sandbox or wrapper keeps it. */
export function withSandbox(entry: ServerEntry, sandbox: JsonValue): ServerEntry {
  if (!mayChoose(entry)) return entry;
  const { defaultSandbox: _, launch, ...others } = entry;
  if (launch?.transport !== "stdio") return entry;
  const { sandbox: __, ...plain } = launch;
  if (sandbox === false) return { ...others, launch: plain };
  const parsed = parseSandbox(sandbox);
  // A choice that cannot be read never allows more.
  const profile = "profile" in parsed && parsed.profile ? parsed.profile : parseDefault();
  return { ...others, launch: { ...plain, sandbox: profile }, defaultSandbox: sandbox };
}

/** Applies the choices of all recorded approvals. */
export function withChosenSandboxes(
  entries: readonly ServerEntry[],
  approvals: readonly GivenApproval[],
): readonly ServerEntry[] {
  if (!approvals.some(({ sandbox }) => sandbox !== undefined)) return entries;
  return entries.map((entry) => {
    const chosen = approvalOf(approvals, entry.provenance.file, entry.name)?.sandbox;
    return chosen === undefined ? entry : withSandbox(entry, chosen);
  });
}

/**
 * Returns the sandbox that was chosen when a server was approved: `false` if it was approved without one. `undefined` if the server is
 * not approved, or if the entry or the settings decide.
 */
export function chosenSandbox(
  entry: ServerEntry,
  approvals: readonly GivenApproval[],
): JsonValue | undefined {
  const given = approvalOf(approvals, entry.provenance.file, entry.name);
  if (given === undefined || !mayChoose(entry) || approvalStatus(entry, approvals).kind === "changed")
    return undefined;
  return given.sandbox ?? (entry.defaultSandbox === undefined ? false : undefined);
}

/** Returns the choice that is recorded for an entry. A copy of the entry needs it, because it is recorded for this file only. */
export function recordedSandbox(
  entry: ServerEntry,
  approvals: readonly GivenApproval[],
): JsonValue | undefined {
  return mayChoose(entry) ? approvalOf(approvals, entry.provenance.file, entry.name)?.sandbox : undefined;
}

/** Only a local server whose entry says nothing about it. */
export function mayChoose({ launch, declaration }: ServerEntry): boolean {
  return (
    launch?.transport === "stdio" && launch.wrap === undefined && declaration.fields["sandbox"] === undefined
  );
}

function parseDefault(): NonNullable<
  Extract<ReturnType<typeof parseSandbox>, { profile: unknown }>["profile"]
> {
  const parsed = parseSandbox(true);
  if ("profile" in parsed && parsed.profile !== undefined) return parsed.profile;
  throw new Error("the default profile is invalid");
}
