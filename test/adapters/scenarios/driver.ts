import type { Session } from "../../../src/index.ts";

/** The scenarios, in the order of the table. */
export const SCENARIOS = [
  "plain",
  "streaming",
  "tool error",
  "image",
  "resource",
  "cancel",
  "parallel",
  "approval",
  "elicitation",
  "live change",
  "200 tools",
  "strict schema",
] as const;

export type ScenarioName = (typeof SCENARIOS)[number];

/** One run of an agent loop, from a prompt to the model's final text. */
export interface Run {
  readonly session: Session;
  /** The address of the model server. */
  readonly url: string;
  readonly signal: AbortSignal;
  /** Whether to read the model's responses as streams. */
  readonly isStreamed: boolean;
  /** Whether to use the provider's strict mode, if it has one. */
  readonly isStrict: boolean;
  /** Answers for a person, if the SDK asks about calls itself. */
  approve(input: unknown): boolean;
}

/** Runs an SDK's agent loop with an adapter's tools. */
export interface Driver {
  readonly name: string;
  /** Who asks about a call that requires approval: the SDK, or the host's `onCall`. */
  readonly asks: "sdk" | "host";
  /** When a new tool is offered: in the next request, or in the next run of the agent. */
  readonly follows: "next request" | "next run";
  /** The most tools that the provider accepts in a request. */
  readonly mostTools?: number;
  /** Whether strict mode requires every property, so that the model sends `null` for omitted ones. */
  readonly sendsNull?: boolean;
  /** Scenarios that cannot run, with the reasons. */
  readonly notApplicable?: Partial<Record<ScenarioName, string>>;
  /** Returns the name by which the model calls a tool. Default: the tool's name. */
  nameOf?(name: string): string;
  /** Returns the chunks of the final text. There is one unless `isStreamed`. */
  run(run: Run): Promise<string[]>;
}
