import {
  CALL_ANSWERS,
  type CallAnswer,
  HostError,
  isJsonObject,
  isList,
  itemsOf,
  type JsonObject,
  type JsonValue,
  NAMING_STYLES,
  type NamingStyle,
  nearest,
  type Problem,
} from "../model/index.ts";
import type { Ports } from "../platform/index.ts";
import { parseSandbox } from "../sandbox/index.ts";
import type { OwnPaths } from "../state/index.ts";
import { type GatewaySettings, NO_GATEWAY_SETTINGS, readGatewaySettings } from "./gateway-settings.ts";
import { IGNORED, type ModelSettings, type ReportProblem, readModelSettings } from "./model-settings.ts";
import {
  DEFAULT_PACKAGE_SETTINGS,
  isSafeUrl,
  type PackageSettings,
  readPackageSettings,
} from "./package-settings.ts";
import { problemIn, readDocument } from "./read-document.ts";

/** Plugboard's settings. Settings that the file omits have their default. */
export interface Settings extends ModelSettings, PackageSettings {
  /** Ids of disabled providers. Their config files are not read. */
  readonly providersOff: readonly string[];
  /** Ids of providers that take precedence over all others, in this order. */
  readonly providerOrder: readonly string[];
  /** The default time limit for a request. A server's entry can override it. */
  readonly timeoutMs: number;
  /** The default time limit for connecting. A server's entry can override it. */
  readonly startupTimeoutMs: number;
  /** How long a server's list of tools counts as fresh. */
  readonly toolsTtlMs: number;
  /** How many servers start in parallel. */
  readonly parallelStarts: number;
  /** Longer text in a tool result is written to a file. In characters. */
  readonly resultChars: number;
  /** Larger images and audio in a tool result are provided only as files. In bytes. */
  readonly resultMediaBytes: number;
  /** The maximum size of the artifact folder in bytes. The oldest files are removed first. */
  readonly artifactsBytes: number;
  /** How much memory one server may use while a daemon or gateway runs it, in MB. A server's entry can override it. */
  readonly serverMemoryMb: number;
  /** How much memory all servers of a daemon or gateway may use together, in MB. Default: half of the machine's memory. */
  readonly totalMemoryMb: number | undefined;
  /** How many local servers a daemon or gateway runs at the same time. */
  readonly serverProcesses: number;
  /**
   * If the tool definitions of a session need more tokens, `mode: "auto"` offers tools that find and call them instead.
   */
  readonly toolTokens: number;
  /** Whether searches prefer tools that were called after similar searches. */
  readonly learnFromUse: boolean;
  /** In mode `auto`, the most tools to offer directly beside the search tools, chosen by use and cost. */
  readonly toolSlots: number;
  /** How tools are named for a model. */
  readonly naming: NamingStyle;
  /**
   * Whether to start packages directly from npm's cache instead of through `npx`, if the exact version is cached. Never
   * applies to a project's servers.
   */
  readonly npxFromCache: boolean;
  /** How to handle calls for which a server's entry has no `approval` rule. Default: the caller's default. */
  readonly approval: CallAnswer | undefined;
  /** Whether conversations of the chat are kept in the state folder. */
  readonly keepConversations: boolean;
  /** Whether `serve --stdio` and commands may start the daemon by themselves, once the user agreed to it. */
  readonly daemon: "auto" | "off";
  /** The address of the MCP registry that `search` and `add` use: https, or http on this machine. */
  readonly registry: string;
  /** The `sandbox` of every local server whose entry has neither `sandbox` nor `wrap`. */
  readonly sandbox: JsonValue | undefined;
  /** Settings for `plugboard serve`. */
  readonly gateway: GatewaySettings;
}

/** The default settings. */
export const DEFAULT_SETTINGS: Settings = {
  providersOff: [],
  providerOrder: [],
  timeoutMs: 30_000,
  startupTimeoutMs: 30_000,
  toolsTtlMs: 3_600_000,
  parallelStarts: 20,
  resultChars: 100_000,
  resultMediaBytes: 5 * 1024 * 1024,
  artifactsBytes: 256 * 1024 * 1024,
  serverMemoryMb: 4_096,
  totalMemoryMb: undefined,
  serverProcesses: 64,
  toolTokens: 20_000,
  learnFromUse: true,
  toolSlots: 5,
  naming: "plugboard",
  npxFromCache: true,
  approval: undefined,
  keepConversations: true,
  daemon: "auto",
  registry: "https://registry.modelcontextprotocol.io",
  sandbox: undefined,
  gateway: NO_GATEWAY_SETTINGS,
  ...DEFAULT_PACKAGE_SETTINGS,
  model: undefined,
  modelProviders: {},
};

const NUMBERS = [
  "timeoutMs",
  "startupTimeoutMs",
  "toolsTtlMs",
  "parallelStarts",
  "resultChars",
  "resultMediaBytes",
  "artifactsBytes",
  "serverMemoryMb",
  "totalMemoryMb",
  "serverProcesses",
  "toolTokens",
  "toolSlots",
] as const;
const SWITCHES = ["npxFromCache", "keepConversations", "learnFromUse"] as const;
/** Longer timers would fire immediately. */
const LONGEST_MS = 2 ** 31 - 1;

/** The settings, and the problems found while reading them. */
export interface LoadedSettings {
  readonly settings: Settings;
  readonly problems: readonly Problem[];
}

/**
 * Reads `settings.json`. Invalid settings and unknown providers are reported, and invalid settings get their default.
 */
export async function loadSettings(
  { files }: Ports,
  places: OwnPaths,
  given: Partial<Settings>,
  providers: readonly string[],
): Promise<LoadedSettings> {
  const file = places.settings;
  const { document, problems } = await readDocument(files, file);
  if (document === undefined) return { settings: { ...DEFAULT_SETTINGS, ...given }, problems };
  const found: Problem[] = [...problems];
  const report: ReportProblem = (path, message, instead) => {
    const text = instead === undefined ? message : `${message}; ${instead}`;
    found.push(problemIn(file, "settings-invalid", text, document.at(path), "warning"));
  };
  if (!isJsonObject(document.value)) {
    found.push(problemIn(file, "settings-invalid", "must contain an object", document.at([])));
    return { settings: { ...DEFAULT_SETTINGS, ...given }, problems: found };
  }
  const settings = { ...DEFAULT_SETTINGS, ...fromFile(document.value, report, providers), ...given };
  return { settings, problems: found };
}

/** The valid keys of the file. It has `providers` instead of `providersOff`. */
const KEYS: ReadonlySet<string> = new Set([
  "$schema",
  "providers",
  ...Object.keys(DEFAULT_SETTINGS).filter((key) => key !== "providersOff"),
]);

function fromFile(value: JsonObject, report: ReportProblem, known: readonly string[]): Partial<Settings> {
  reportUnknown(value, KEYS, report);
  return readSettings(value, report, { known, leastTtlMs: 1 });
}

/**
 * Checks the settings that a program passes to `createHost`. Throws if any is invalid, because only people who edit a
 * file need defaults instead of errors.
 */
export function checkSettings(given: object, known: readonly string[]): Partial<Settings> {
  const set: JsonObject = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
  const problems: string[] = [];
  const report: ReportProblem = (_, message) => void problems.push(message);
  const { providersOff, ...others } = set;
  reportUnknown(set, new Set(Object.keys(DEFAULT_SETTINGS)), report);
  if (providersOff !== undefined && !isList(providersOff))
    report([], '"providersOff" must be a list of provider ids');
  const providers = Object.fromEntries(itemsOf(providersOff).map((id) => [String(id), false]));
  const value: JsonObject = providersOff === undefined ? others : { ...others, providers };
  const settings = readSettings(value, report, { known, leastTtlMs: 0 });
  if (problems.length === 0) return settings;
  const all = problems.join("; ");
  throw new HostError("USAGE_INVALID", `Invalid settings: ${all}${all.endsWith("?") ? "" : "."}`);
}

function reportUnknown(value: JsonObject, keys: ReadonlySet<string>, report: ReportProblem): void {
  for (const key of Object.keys(value).filter((each) => !keys.has(each))) {
    const close = nearest(key, keys);
    const advice = close === undefined ? "" : `; did you mean "${close}"?`;
    report([key], `"${key}" is not a known setting${advice}`);
  }
}

interface ReadOptions {
  /** The ids of all providers. */
  readonly known: readonly string[];
  /** 0 if a program may disable caching. */
  readonly leastTtlMs: number;
}

function readSettings(
  value: JsonObject,
  report: ReportProblem,
  { known, leastTtlMs }: ReadOptions,
): Partial<Settings> {
  const settings: { -readonly [Key in keyof Settings]?: Settings[Key] } = {
    ...readModelSettings(value, report),
    ...readPackageSettings(value, report),
  };
  for (const key of NUMBERS) {
    const given = value[key];
    if (given === undefined) continue;
    const least = key === "toolsTtlMs" ? leastTtlMs : key === "toolSlots" ? 0 : 1;
    if (typeof given === "number" && given >= least) settings[key] = Math.min(Math.floor(given), LONGEST_MS);
    else
      report(
        [key],
        `"${key}" must be a number of at least ${least}`,
        `using ${DEFAULT_SETTINGS[key] ?? "the default"}`,
      );
  }
  for (const key of SWITCHES) {
    const given = value[key];
    if (typeof given === "boolean") settings[key] = given;
    else if (given !== undefined) report([key], `"${key}" must be true or false`, "using true");
  }
  const { registry } = value;
  if (typeof registry === "string" && isRegistryUrl(registry)) settings.registry = registry;
  else if (registry !== undefined)
    report(["registry"], '"registry" must be an https URL', `using ${DEFAULT_SETTINGS.registry}`);
  const { daemon } = value;
  if (daemon !== undefined) settings.daemon = daemon === "auto" ? daemon : "off"; // a typo starts no process
  if (daemon !== undefined && daemon !== "auto" && daemon !== "off")
    report(["daemon"], '"daemon" must be "auto" or "off"', "using off");
  const approval = CALL_ANSWERS.find((answer) => answer === value["approval"]);
  if (value["approval"] !== undefined) settings.approval = approval ?? "ask"; // a typo never allows more
  if (value["approval"] !== undefined && approval === undefined)
    report(["approval"], `"approval" must be one of ${CALL_ANSWERS.join(", ")}`, "using ask");
  const { sandbox } = value;
  if (sandbox !== undefined) {
    const parsed = parseSandbox(sandbox);
    settings.sandbox = "problem" in parsed ? true : sandbox; // a typo never allows more
    if ("problem" in parsed) report(["sandbox"], parsed.problem, "using true");
  }
  const gateway = readGatewaySettings(value, report);
  if (gateway !== undefined) settings.gateway = gateway;
  Object.assign(settings, readProviders(value, report, known));
  const naming = NAMING_STYLES.find((style) => style === value["naming"]);
  if (naming !== undefined) settings.naming = naming;
  else if (value["naming"] !== undefined)
    report(
      ["naming"],
      `"naming" must be one of ${NAMING_STYLES.join(", ")}`,
      `using ${DEFAULT_SETTINGS.naming}`,
    );
  return settings;
}

/** A query would be combined with that of each request. */
function isRegistryUrl(text: string): boolean {
  return isSafeUrl(text) && new URL(text).search === "";
}

/** Reads which providers are disabled and which take precedence. Unknown ids are reported but kept. */
function readProviders(
  { providers, providerOrder: order }: JsonObject,
  report: ReportProblem,
  known: readonly string[],
): Partial<Settings> {
  const settings: { -readonly [Key in keyof Settings]?: Settings[Key] } = {};
  const check = (id: string, path: readonly [string, string | number]): void => {
    if (known.includes(id)) return;
    const close = nearest(id, known);
    const advice =
      close === undefined ? `known providers: ${[...known].sort().join(", ")}` : `did you mean "${close}"?`;
    report(path, `unknown provider "${id}"; ${advice}`);
  };
  if (isJsonObject(providers)) {
    settings.providersOff = Object.keys(providers).filter((id) => providers[id] === false);
    for (const [id, isRead] of Object.entries(providers)) {
      check(id, ["providers", id]);
      if (typeof isRead !== "boolean")
        report(["providers", id], `"${id}" in "providers" must be true or false`, IGNORED);
    }
  } else if (providers !== undefined) {
    report(["providers"], `"providers" must be an object such as { "cursor": false }`, IGNORED);
  }
  if (isList(order)) {
    settings.providerOrder = order.filter((id): id is string => typeof id === "string");
    for (const [index, id] of order.entries()) {
      if (typeof id === "string") check(id, ["providerOrder", index]);
      else report(["providerOrder", index], '"providerOrder" must contain strings', "this item is ignored");
    }
  } else if (order !== undefined) {
    report(["providerOrder"], `"providerOrder" must be a list of provider ids`, IGNORED);
  }
  return settings;
}
