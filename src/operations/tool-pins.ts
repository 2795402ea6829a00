import {
  HostError,
  messageOf,
  type PinPolicy,
  type Problem,
  type Server,
  type ToolDefinition,
} from "../model/index.ts";
import type { Clock, Log } from "../platform/index.ts";
import {
  comparePins,
  type LintFinding,
  lintTool,
  listHash,
  pinnedFields,
  pinPolicy,
  type ToolDifference,
} from "../policy/index.ts";
import type { PinFiles, SavedPins } from "../state/index.ts";

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
  /** Signs of definitions that try to instruct the model. */
  readonly findings: readonly LintFinding[];
  /** What was looked at cannot be read; nothing counts as looked at until it is accepted again. */
  readonly unreadable?: string;
}

/** Why a tool is held back, if it is. */
export type HeldBack = (tool: string) => string | undefined;

export interface ToolPins {
  /** Compares, and takes the pins where there are none yet. */
  check(server: Server, tools: readonly ToolDefinition[]): Promise<PinReport>;
  /** What holds the server's tools back, by name. */
  held(server: Server, tools: readonly ToolDefinition[]): Promise<HeldBack>;
  accept(server: Server, tools: readonly ToolDefinition[], hash: string): Promise<void>;
}

type Known = { readonly pins: SavedPins; readonly isFirst: boolean } | { readonly unreadable: string };

export interface ToolPinsOptions {
  readonly files: PinFiles;
  readonly clock: Clock;
  readonly log: Log;
  /** Changes when another server may answer. */
  fingerprintOf(server: Server): string;
}

export function createToolPins({ files, clock, log, fingerprintOf }: ToolPinsOptions): ToolPins {
  const known = new Map<string, Promise<Known>>();
  const compared = new WeakMap<readonly ToolDefinition[], { pins: Known; report: PinReport }>();

  const take = (tools: readonly ToolDefinition[]): SavedPins => ({
    takenAt: new Date(clock.now()).toISOString(),
    tools: new Map(tools.map((tool) => [tool.name, pinnedFields(tool)])),
  });
  const load = async (fingerprint: string, tools: readonly ToolDefinition[]): Promise<Known> => {
    try {
      const saved = await files.read(fingerprint);
      if (saved !== undefined) return { pins: saved, isFirst: false };
    } catch (error) {
      return { unreadable: messageOf(error) };
    }
    const pins = take(tools);
    try {
      await files.write(fingerprint, pins, "first");
    } catch (error) {
      log.log("warn", "pins.unwritable", { error: messageOf(error) }); // they hold for this run at least
    }
    return { pins, isFirst: true };
  };
  const find = (fingerprint: string, tools: readonly ToolDefinition[]): Promise<Known> => {
    const before = known.get(fingerprint) ?? load(fingerprint, tools);
    known.set(fingerprint, before);
    return before;
  };

  const check = async (server: Server, tools: readonly ToolDefinition[]): Promise<PinReport> => {
    const policy = pinPolicy(server);
    const pins = await find(fingerprintOf(server), tools);
    const before = compared.get(tools);
    if (before?.pins === pins && before.report.policy === policy && before.report.server === server.name)
      return before.report;
    const report: PinReport = {
      server: server.name,
      policy,
      isFirst: "pins" in pins && pins.isFirst,
      hash: listHash(tools),
      findings: tools.flatMap((tool) => lintTool(tool)),
      ...("pins" in pins
        ? { takenAt: pins.pins.takenAt, differences: comparePins(pins.pins.tools, tools) }
        : { unreadable: pins.unreadable, differences: [] }),
    };
    compared.set(tools, { pins, report });
    return report;
  };
  return {
    check,
    async held(server, tools) {
      return pinPolicy(server) === "hold" ? reasonsToHold(await check(server, tools)) : () => undefined;
    },
    async accept(server, tools, hash) {
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
      const pins = take(tools);
      await files.write(fingerprint, pins, "replace");
      known.set(fingerprint, Promise.resolve({ pins, isFirst: false }));
    },
  };
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
  const { server, policy, differences, findings, unreadable, isFirst } = report;
  if (policy === "off") return [];
  const changed = new Set(differences.map(({ tool }) => tool));
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
    ...findings
      .filter(({ tool }) => isFirst || changed.has(tool)) // what a person has seen is no news
      .map(({ tool, what }) => problem("tool-suspicious", `tool "${tool}" ${what}`)),
  ];
}
