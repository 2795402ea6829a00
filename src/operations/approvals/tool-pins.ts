import { INSPECTION_VERSION, isPlain, markAsPlain } from "../../bridge/index.ts";
import { listText, toolsChecksum } from "../../catalog/index.ts";
import {
  HostError,
  isHostError,
  messageOf,
  type PinnedTool,
  type PinPolicy,
  type Problem,
  type Server,
  type ToolDefinition,
} from "../../model/index.ts";
import { type Clock, forEachYielding } from "../../platform/index.ts";
import {
  comparePins,
  type LintFinding,
  lintTool,
  listHash,
  type NameLookup,
  pinPolicy,
  type ToolDifference,
  toolHash,
} from "../../policy/index.ts";
import type { DeferredWrites, PinRecords, SavedPins } from "../../state/index.ts";

/** Compares a server's tools with their pinned versions. */
export interface PinReport {
  /** The server's name. */
  readonly server: string;
  /** What happens when a tool changes. */
  readonly policy: PinPolicy;
  /** When the pins were recorded, as an ISO 8601 date and time. */
  readonly takenAt?: string;
  /** `true` if there were no pins yet. The current tools are then pinned. */
  readonly isFirst: boolean;
  /** The hash of the current tools. Pass it to `pins.accept`. */
  readonly hash: string;
  /** Tools that were added, changed or removed since the pins were recorded. */
  readonly differences: readonly ToolDifference[];
  /** Definitions that appear to give the model instructions: among all tools in a review, otherwise among new and changed ones. */
  readonly findings: readonly LintFinding[];
  /** Why the pins cannot be read, if they cannot. Every tool then counts as not reviewed until the tools are accepted again. */
  readonly unreadable?: string;
}

/** Returns why a tool is withheld; `undefined` if it is not. */
export type HoldReason = (tool: string) => string | undefined;

/** The consequences of the pins for a server's tools. */
export interface PinEffects {
  readonly held: HoldReason;
  /** Returns whether a tool's annotations are new or changed. Such annotations must not exempt a call from approval. */
  readonly isUnreviewed: (tool: string) => boolean;
}

/** Pins tools and compares them with their pins. */
export interface ToolPins {
  /** Compares the tools with their pins. Pins them if there are no pins yet. */
  check(server: Server, tools: readonly ToolDefinition[]): Promise<PinReport>;
  /** Returns the consequences of the comparison. */
  standing(server: Server, tools: readonly ToolDefinition[]): Promise<PinEffects>;
  /** Like `standing`, but synchronous. Returns `undefined` if the tools have not been compared yet. */
  standingNow(server: Server, tools: readonly ToolDefinition[]): PinEffects | undefined;
  /** Replaces the pins. Rejects with `POLICY_HASH_MISMATCH` if the tools do not have this hash. */
  accept(server: Server, tools: readonly ToolDefinition[], hash: string): Promise<void>;
}

type Known =
  | {
      readonly pins: SavedPins;
      /** The list that this run pinned. */
      readonly takenFrom?: readonly ToolDefinition[];
      readonly isFirst: boolean;
    }
  | { readonly unreadable: string; readonly isTemporary: boolean };

interface Compared {
  /** The pins of this comparison. */
  readonly found: Promise<Known>;
  readonly report: PinReport;
  readonly standing: PinEffects;
}

const holdsNothing: HoldReason = () => undefined;
const NO_PINS: PinEffects = { held: holdsNothing, isUnreviewed: () => false };

export interface ToolPinsOptions {
  readonly records: PinRecords;
  readonly clock: Clock;
  readonly later: DeferredWrites;
  /** Returns a text that changes when the name may refer to another server. */
  fingerprintOf(server: Server): string;
  /** Returns the tool names of other servers. A definition that mentions one may try to influence how the model uses it. */
  namesOfOthers(server: Server): Promise<NameLookup>;
  /** Returns what happens when the server's tools change. Default: `pinPolicy`. */
  policyOf?(server: Server): PinPolicy;
}

export function createToolPins(options: ToolPinsOptions): ToolPins {
  const { records, clock, later, fingerprintOf, namesOfOthers, policyOf = pinPolicy } = options;
  const known = new Map<string, Promise<Known>>();
  const compared = new WeakMap<readonly ToolDefinition[], Compared>();

  const take = async (
    fingerprint: string,
    tools: readonly ToolDefinition[],
    how: "first" | "replace",
  ): Promise<Known> => {
    const takenAt = new Date(clock.now()).toISOString();
    const write = async (): Promise<void> =>
      records.write(
        fingerprint,
        { takenAt, list: await listText(tools), plain: await plainVersion(tools) },
        how,
      );
    if (how === "replace") await write();
    else later.put(`pins ${fingerprint}`, write); // this run uses the new pins before they are written
    const named = async (): Promise<ReadonlyMap<string, PinnedTool>> =>
      new Map(tools.map((tool) => [tool.name, tool]));
    return { pins: { takenAt, tools: named }, takenFrom: tools, isFirst: how === "first" };
  };
  const load = async (fingerprint: string, tools: readonly ToolDefinition[]): Promise<Known> => {
    try {
      const saved = await records.read(fingerprint);
      if (saved !== undefined) return { pins: saved, isFirst: false };
    } catch (error) {
      return { unreadable: messageOf(error), isTemporary: isHostError(error, "STORE_UNAVAILABLE") };
    }
    return take(fingerprint, tools, "first");
  };
  const find = (fingerprint: string, tools: readonly ToolDefinition[]): Promise<Known> => {
    const before = known.get(fingerprint) ?? load(fingerprint, tools);
    known.set(fingerprint, before);
    void before.then((found) => {
      // The program's store may work again at the next use.
      const mayRecover = "isTemporary" in found && found.isTemporary;
      if (mayRecover && known.get(fingerprint) === before) known.delete(fingerprint);
    });
    return before;
  };

  /** The last comparison of these tools, if the pins, the policy and the server are still the same. */
  const lastOf = (server: Server, tools: readonly ToolDefinition[]): Compared | undefined => {
    const last = compared.get(tools);
    const holds =
      last !== undefined &&
      last.found === known.get(fingerprintOf(server)) &&
      last.report.policy === policyOf(server) &&
      last.report.server === server.name;
    return holds ? last : undefined;
  };

  const compare = async (server: Server, tools: readonly ToolDefinition[]): Promise<Compared> => {
    const policy = policyOf(server);
    const found = find(fingerprintOf(server), tools);
    const pins = await found;
    const last = lastOf(server, tools);
    if (last !== undefined) return last;
    const { differences, ...facts } = await differencesOf(pins, tools);
    const isFirst = "pins" in pins && pins.isFirst;
    const changed = new Set(differences.map(({ tool }) => tool));
    const toCheck = isFirst ? tools : tools.filter(({ name }) => changed.has(name));
    const report: PinReport = {
      server: server.name,
      policy,
      isFirst,
      // Computed on demand: it is slow for ten thousand tools and rarely needed.
      get hash() {
        return listHash(tools);
      },
      findings:
        toCheck.length === 0
          ? []
          : await lintTools(toCheck, withoutOwnNames(await namesOfOthers(server), tools)),
      differences,
      ...facts,
    };
    const held = policy === "hold" ? reasonsToHold(report) : holdsNothing;
    const comparison = { found, report, standing: { held, isUnreviewed: unreviewed(report) } };
    compared.set(tools, comparison);
    return comparison;
  };
  return {
    check: async (server, tools) => (await compare(server, tools)).report,
    async standing(server, tools) {
      return pinsMatter(server, policyOf(server)) ? (await compare(server, tools)).standing : NO_PINS;
    },
    standingNow: (server, tools) =>
      pinsMatter(server, policyOf(server)) ? lastOf(server, tools)?.standing : NO_PINS,
    async accept(server, tools, hash) {
      await hashTools(tools);
      if (hash !== listHash(tools)) {
        throw new HostError(
          "POLICY_HASH_MISMATCH",
          `The tools of "${server.name}" have changed since they were reviewed.`,
          {
            server: server.name,
            hint: "Review them again, then accept the new hash.",
          },
        );
      }
      const fingerprint = fingerprintOf(server);
      known.set(fingerprint, Promise.resolve(await take(fingerprint, tools, "replace")));
    },
  };
}

/** Returns how the tools differ from their pins, or why the pins cannot be read. */
async function differencesOf(
  known: Known,
  tools: readonly ToolDefinition[],
): Promise<Pick<PinReport, "differences" | "takenAt" | "unreadable">> {
  if ("unreadable" in known) return { differences: [], unreadable: known.unreadable };
  const { pins, takenFrom } = known;
  const { takenAt, sum, plain } = pins;
  // The list is identical to the pinned one, so its schemas need no new inspection either.
  if (takenFrom === tools || (sum !== undefined && sum === toolsChecksum(tools))) {
    if (plain === INSPECTION_VERSION) markAsPlain(tools);
    return { differences: [], takenAt };
  }
  try {
    return { differences: await differencesFrom(await pins.tools(), tools), takenAt };
  } catch (error) {
    return { differences: [], unreadable: messageOf(error) };
  }
}

/** Returns the version of the inspection rules if all schemas pass them as plain. */
async function plainVersion(tools: readonly ToolDefinition[]): Promise<number | undefined> {
  return (await forEachYielding(tools, isPlain)) ? INSPECTION_VERSION : undefined;
}

async function differencesFrom(
  pinned: ReadonlyMap<string, PinnedTool>,
  tools: readonly ToolDefinition[],
): Promise<ToolDifference[]> {
  const found: ToolDifference[] = [];
  await forEachYielding(tools, (tool) => {
    const before = pinned.get(tool.name);
    found.push(...comparePins(new Map(before === undefined ? [] : [[tool.name, before]]), [tool]));
    return true;
  });
  const names = new Set(tools.map(({ name }) => name));
  const gone = [...pinned.keys()].filter((name) => !names.has(name));
  return [...found, ...gone.map((tool): ToolDifference => ({ tool, kind: "gone", changes: [] }))];
}

/** Finds definitions that appear to give the model instructions. */
export async function lintTools(
  tools: readonly ToolDefinition[],
  namesOfOthers: NameLookup,
): Promise<LintFinding[]> {
  const found: LintFinding[] = [];
  await forEachYielding(tools, (tool) => {
    found.push(...lintTool(tool, namesOfOthers));
    return true;
  });
  return found;
}

/** Computes each tool's hash in advance. Hashes are cached, so hashing the whole list is then fast. */
export async function hashTools(tools: readonly ToolDefinition[]): Promise<void> {
  await forEachYielding(tools, (tool) => toolHash(tool) !== "");
}

/** Removes a server's own tool names: its definitions may mention them even if another server uses the same names. */
export function withoutOwnNames(names: NameLookup, own: readonly ToolDefinition[]): NameLookup {
  const mine = new Set(own.map(({ name }) => name));
  return { size: names.size, has: (name) => names.has(name) && !mine.has(name) };
}

/** Pins that only warn still matter if a tool's annotations decide whether its calls require approval. */
function pinsMatter({ rules: { approval } }: Server, policy: PinPolicy): boolean {
  return policy === "hold" || (policy === "warn" && approval.some(({ answer }) => answer === "ask-writes"));
}

function unreviewed({ unreadable, differences }: PinReport): PinEffects["isUnreviewed"] {
  const isAffected = ({ kind, changes }: ToolDifference): boolean =>
    kind === "new" || changes.some(({ field }) => field === "annotations");
  const tools = new Set(differences.filter(isAffected).map(({ tool }) => tool));
  return (tool) => unreadable !== undefined || tools.has(tool);
}

function reasonsToHold({ unreadable, differences }: PinReport): HoldReason {
  if (unreadable !== undefined) return () => `the pins cannot be read: ${unreadable}`;
  const reasons = new Map(
    differences.map(({ tool, kind, changes }) => {
      const fields = changes.map(({ field }) => field).join(", ");
      return [tool, kind === "new" ? "it is new" : `its ${fields} changed`] as const;
    }),
  );
  return (tool) => {
    const reason = reasons.get(tool);
    return reason === undefined ? undefined : `${reason} since the tools were reviewed`;
  };
}

/** Returns the problems to report about a server's tools. */
export function pinProblems(report: PinReport): Problem[] {
  const { server, policy, differences, findings, unreadable } = report;
  if (policy === "off") return [];
  const problem = (code: Problem["code"], message: string): Problem => ({
    code,
    severity: "warning",
    message: `server "${server}": ${message}`,
    server,
  });
  const code = policy === "hold" ? "tool-held" : "tool-changed";
  const effect = policy === "hold" ? "held back" : "still used";
  const toolsOf = (kind: ToolDifference["kind"]): string[] =>
    differences.filter((difference) => difference.kind === kind).map(({ tool }) => tool);
  return [
    ...(unreadable === undefined ? [] : [problem(code, `the pins cannot be read: ${unreadable}`)]),
    ...describeTools(toolsOf("changed"), ["has changed", "have changed"], effect).map((text) =>
      problem(code, text),
    ),
    ...describeTools(toolsOf("new"), ["is new", "are new"], effect).map((text) => problem(code, text)),
    ...findings.map(({ tool, what }) => problem("tool-suspicious", `tool "${tool}" ${what}`)),
  ];
}

/** Problems that name each tool. Of more tools, one problem names the first. */
const MOST_PROBLEMS = 3;

function describeTools(
  tools: readonly string[],
  [one, many]: readonly [string, string],
  effect: string,
): string[] {
  if (tools.length <= MOST_PROBLEMS) return tools.map((tool) => `tool "${tool}" ${one} and is ${effect}`);
  const first = tools.slice(0, MOST_PROBLEMS).map((tool) => `"${tool}"`);
  return [`${tools.length} tools ${many} and are ${effect}: ${first.join(", ")} and others`];
}
