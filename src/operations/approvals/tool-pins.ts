import { countAsPlain, INSPECTION, isPlain } from "../../bridge/index.ts";
import { listText, toolsChecksum } from "../../catalog/index.ts";
import {
  HostError,
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
  type Names,
  pinPolicy,
  type ToolDifference,
  toolHash,
} from "../../policy/index.ts";
import type { DeferredWrites, PinFiles, SavedPins } from "../../state/index.ts";

/** How a server's tools stand to what was looked at. */
export interface PinReport {
  readonly server: string;
  readonly policy: PinPolicy;
  /** When they were looked at first, or accepted last. */
  readonly takenAt?: string;
  /** They were never looked at before. */
  readonly isFirst: boolean;
  /** Of the tools as they are now: what accepting them means. */
  readonly hash: string;
  readonly differences: readonly ToolDifference[];
  /** Signs of definitions that try to instruct the model: of all when they were asked for, else of what is new. */
  readonly findings: readonly LintFinding[];
  /** What was looked at cannot be read; nothing counts as looked at until it is accepted again. */
  readonly unreadable?: string;
}

/** Why a tool is held back, if it is. */
export type HeldBack = (tool: string) => string | undefined;

/** What the pins say about a server's tools. */
export interface PinStanding {
  readonly held: HeldBack;
  /** Are the tool's annotations new or changed since the tools were reviewed? Then they must not lower what is asked for. */
  readonly isUnreviewed: (tool: string) => boolean;
}

export interface ToolPins {
  /** Compares, and takes the pins where there are none yet. */
  check(server: Server, tools: readonly ToolDefinition[]): Promise<PinReport>;
  standing(server: Server, tools: readonly ToolDefinition[]): Promise<PinStanding>;
  /** The same where it is known; nothing where it has to be looked at. */
  standingNow(server: Server, tools: readonly ToolDefinition[]): PinStanding | undefined;
  accept(server: Server, tools: readonly ToolDefinition[], hash: string): Promise<void>;
}

type Known =
  | {
      readonly pins: SavedPins;
      /** The list they were taken from in this run. */
      readonly takenFrom?: readonly ToolDefinition[];
      readonly isFirst: boolean;
    }
  | { readonly unreadable: string };

interface Compared {
  /** The pins that were compared with. */
  readonly found: Promise<Known>;
  readonly report: PinReport;
  readonly standing: PinStanding;
}

const holdsNothing: HeldBack = () => undefined;
const NO_PINS: PinStanding = { held: holdsNothing, isUnreviewed: () => false };

export interface ToolPinsOptions {
  readonly files: PinFiles;
  readonly clock: Clock;
  readonly later: DeferredWrites;
  /** Changes when another server may answer. */
  fingerprintOf(server: Server): string;
  /** What other servers call their tools: a definition that names them tries to steer those. */
  namesOfOthers(server: Server): Promise<Names>;
  /** What a change of its tools means. Default: `pinPolicy`. */
  policyOf?(server: Server): PinPolicy;
}

export function createToolPins(options: ToolPinsOptions): ToolPins {
  const { files, clock, later, fingerprintOf, namesOfOthers, policyOf = pinPolicy } = options;
  const known = new Map<string, Promise<Known>>();
  const compared = new WeakMap<readonly ToolDefinition[], Compared>();

  const take = async (
    fingerprint: string,
    tools: readonly ToolDefinition[],
    how: "first" | "replace",
  ): Promise<Known> => {
    const takenAt = new Date(clock.now()).toISOString();
    const write = async (): Promise<void> =>
      files.write(fingerprint, { takenAt, list: await listText(tools), plain: await plainness(tools) }, how);
    if (how === "replace") await write();
    else later.put(`pins ${fingerprint}`, write); // they hold for this run from now on
    const named = async (): Promise<ReadonlyMap<string, PinnedTool>> =>
      new Map(tools.map((tool) => [tool.name, tool]));
    return { pins: { takenAt, tools: named }, takenFrom: tools, isFirst: how === "first" };
  };
  const load = async (fingerprint: string, tools: readonly ToolDefinition[]): Promise<Known> => {
    try {
      const saved = await files.read(fingerprint);
      if (saved !== undefined) return { pins: saved, isFirst: false };
    } catch (error) {
      return { unreadable: messageOf(error) };
    }
    return take(fingerprint, tools, "first");
  };
  const find = (fingerprint: string, tools: readonly ToolDefinition[]): Promise<Known> => {
    const before = known.get(fingerprint) ?? load(fingerprint, tools);
    known.set(fingerprint, before);
    return before;
  };

  /** The last comparison of these tools, if it still holds: with the same pins, for the same server. */
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
    const suspects = isFirst ? tools : tools.filter(({ name }) => changed.has(name));
    const report: PinReport = {
      server: server.name,
      policy,
      isFirst,
      // Few ask, and for ten thousand tools it takes its time.
      get hash() {
        return listHash(tools);
      },
      findings:
        suspects.length === 0 ? [] : await findingsIn(suspects, without(await namesOfOthers(server), tools)),
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
      return matters(server, policyOf(server)) ? (await compare(server, tools)).standing : NO_PINS;
    },
    standingNow: (server, tools) =>
      matters(server, policyOf(server)) ? lastOf(server, tools)?.standing : NO_PINS,
    async accept(server, tools, hash) {
      await hashTools(tools);
      if (hash !== listHash(tools)) {
        throw new HostError(
          "POLICY_HASH_MISMATCH",
          `The tools of "${server.name}" are not those that were looked at.`,
          {
            server: server.name,
            hint: "Look at them again, then accept that hash.",
          },
        );
      }
      const fingerprint = fingerprintOf(server);
      known.set(fingerprint, Promise.resolve(await take(fingerprint, tools, "replace")));
    },
  };
}

/** How the tools differ from what was looked at, if that can be told. */
async function differencesOf(
  known: Known,
  tools: readonly ToolDefinition[],
): Promise<Pick<PinReport, "differences" | "takenAt" | "unreadable">> {
  if ("unreadable" in known) return { differences: [], unreadable: known.unreadable };
  const { pins, takenFrom } = known;
  const { takenAt, sum, plain } = pins;
  // To the letter what was looked at: nothing to compare, and nothing new in its schemas.
  if (takenFrom === tools || (sum !== undefined && sum === toolsChecksum(tools))) {
    if (plain === INSPECTION) countAsPlain(tools);
    return { differences: [], takenAt };
  }
  try {
    return { differences: await differencesFrom(await pins.tools(), tools), takenAt };
  } catch (error) {
    return { differences: [], unreadable: messageOf(error) };
  }
}

/** By which rules all of them are plain, if they are. */
async function plainness(tools: readonly ToolDefinition[]): Promise<number | undefined> {
  return (await forEachYielding(tools, isPlain)) ? INSPECTION : undefined;
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

/** Signs of definitions that try to instruct the model. */
export async function findingsIn(
  tools: readonly ToolDefinition[],
  namesOfOthers: Names,
): Promise<LintFinding[]> {
  const found: LintFinding[] = [];
  await forEachYielding(tools, (tool) => {
    found.push(...lintTool(tool, namesOfOthers));
    return true;
  });
  return found;
}

/** Hashes each tool, which is remembered, so that the hash of the whole list is found at once. */
export async function hashTools(tools: readonly ToolDefinition[]): Promise<void> {
  await forEachYielding(tools, (tool) => toolHash(tool) !== "");
}

/** A tool may speak of its siblings, also where another server has one of that name. */
export function without(names: Names, own: readonly ToolDefinition[]): Names {
  const mine = new Set(own.map(({ name }) => name));
  return { size: names.size, has: (name) => names.has(name) && !mine.has(name) };
}

/** Pins that only warn matter if a tool's own word decides whether a person is asked. */
function matters({ rules: { approval } }: Server, policy: PinPolicy): boolean {
  return policy === "hold" || (policy === "warn" && approval.some(({ answer }) => answer === "ask-writes"));
}

function unreviewed({ unreadable, differences }: PinReport): PinStanding["isUnreviewed"] {
  const isAffected = ({ kind, changes }: ToolDifference): boolean =>
    kind === "new" || changes.some(({ field }) => field === "annotations");
  const tools = new Set(differences.filter(isAffected).map(({ tool }) => tool));
  return (tool) => unreadable !== undefined || tools.has(tool);
}

function reasonsToHold({ unreadable, differences }: PinReport): HeldBack {
  if (unreadable !== undefined) return () => `what was looked at is lost: ${unreadable}`;
  const reasons = new Map(
    differences.map(({ tool, kind, changes }) => {
      const fields = changes.map(({ field }) => field).join(", ");
      return [tool, kind === "new" ? "it is new" : `its ${fields} changed`] as const;
    }),
  );
  return (tool) => {
    const reason = reasons.get(tool);
    return reason === undefined ? undefined : `${reason} since the tools were looked at`;
  };
}

/** What a person should know of a server's tools. */
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
  const verb = policy === "hold" ? "is held back" : "is used all the same";
  return [
    ...(unreadable === undefined ? [] : [problem(code, `what was looked at is lost: ${unreadable}`)]),
    ...differences
      .filter(({ kind }) => kind !== "gone")
      .map(({ tool, kind }) =>
        problem(code, `tool "${tool}" ${kind === "new" ? "is new" : "has changed"} and ${verb}`),
      ),
    ...findings.map(({ tool, what }) => problem("tool-suspicious", `tool "${tool}" ${what}`)),
  ];
}
