import { describePlace, positionOfField, type ServerDeclaration, type ServerEntry } from "../model/index.ts";
import type { FieldReader } from "./field-reader.ts";
import { type TimeoutRules, timeoutRulesFor } from "./timeout-rules.ts";

export interface TimeDefaults {
  readonly timeoutMs: number;
  readonly startupTimeoutMs: number;
  /** The timeout set by the program for this run. Overrides the entries. */
  readonly overrideMs?: number | undefined;
  /** The environment, for tools that set timeouts in variables. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

type TimeLimits = Pick<
  ServerEntry,
  | "timeoutMs"
  | "timeoutSource"
  | "startupTimeoutMs"
  | "startupTimeoutSource"
  | "installTimeoutMs"
  | "installTimeoutSource"
>;

/** Reads the timeouts for connecting and for calls, and which setting they come from. */
export function readTimeLimits(
  fields: FieldReader,
  declaration: ServerDeclaration,
  defaults: TimeDefaults,
): TimeLimits {
  const { provenance, timeoutRules = provenance.tool } = declaration;
  const rules = timeoutRulesFor(timeoutRules);
  const { variables = {}, overrideMs } = defaults;
  const given: Limit | undefined =
    overrideMs === undefined ? undefined : { ms: overrideMs, source: "set for this run" };
  const declared = (field: LimitField): Limit | undefined => {
    const ms = fields.milliseconds(field);
    return ms === undefined ? undefined : { ms, source: sourceOf(declaration, field, rules) };
  };
  const fromVariable = (name: string | undefined): Limit | undefined => {
    const ms = Number(name === undefined ? undefined : variables[name]);
    return ms > 0 ? { ms: Math.min(ms, LONGEST_MS), source: `the variable ${name}` } : undefined;
  };
  const own = declared("timeout");
  const boundsConnecting = rules.timeoutBounds === "connecting and calls";
  const call =
    given ??
    own ??
    fromVariable(rules.variables?.call) ??
    byDefault(defaults, "timeoutMs", settable(rules.callKey, declaration));
  const startupOwn = declared("startupTimeout");
  const startup =
    given ??
    startupOwn ??
    (boundsConnecting ? own : undefined) ??
    fromVariable(rules.variables?.startup) ??
    byDefault(defaults, "startupTimeoutMs", startupSetting(rules, declaration));
  const install = declared("installTimeout") ?? {
    ms: INSTALL_MS,
    source: `the default; set ${settable("installTimeout", declaration)} to change it`,
  };
  return {
    timeoutMs: call.ms,
    timeoutSource: call.source,
    startupTimeoutMs: startup.ms,
    startupTimeoutSource: startup.source,
    installTimeoutMs: install.ms,
    installTimeoutSource: install.source,
  };
}

type LimitField = "timeout" | "startupTimeout" | "installTimeout";

interface Limit {
  readonly ms: number;
  readonly source: string;
}

/** The default in the settings. */
const BUILT_IN_MS = 30_000;

/** Long enough for a package of many megabytes on a slow network. */
const INSTALL_MS = 600_000;

/** The longest delay of a timer. Longer delays would fire immediately. */
const LONGEST_MS = 2 ** 31 - 1;

function sourceOf(
  declaration: ServerDeclaration,
  field: LimitField,
  { callKey, startupKey = "startupTimeout", place }: TimeoutRules,
): string {
  const usual = { timeout: callKey, startupTimeout: startupKey, installTimeout: field }[field];
  if (place !== undefined) return `"${usual}" in ${place}`;
  const key = declaration.keyOf?.(field) ?? usual;
  return `"${key}" in ${describePlace(positionOfField(declaration, field))}`;
}

function byDefault(defaults: TimeDefaults, key: "timeoutMs" | "startupTimeoutMs", how: string): Limit {
  const ms = defaults[key];
  const source =
    ms === BUILT_IN_MS ? `the default; set ${how} to change it` : `"${key}" in Plugboard's settings`;
  return { ms, source };
}

function settable(key: string, { provenance }: ServerDeclaration): string {
  return `"${key}" in ${describePlace(provenance)}`;
}

function startupSetting({ startupKey, variables }: TimeoutRules, declaration: ServerDeclaration): string {
  if (startupKey !== undefined) return settable(startupKey, declaration);
  if (variables !== undefined) return `the variable ${variables.startup}`;
  return `"startupTimeoutMs" in Plugboard's settings.json`;
}
