import {
  isJsonObject,
  isList,
  type JsonObject,
  NAMING_STYLES,
  type NamingStyle,
  nearest,
  type Problem,
} from "../model/index.ts";
import type { Ports } from "../platform/index.ts";
import type { Places } from "../state/index.ts";
import { type Complain, type ModelSettings, readModelSettings } from "./model-settings.ts";
import { problemIn, readDocument } from "./read-document.ts";

/** Plugboard's own settings, complete: what the file leaves out has its default. */
export interface Settings extends ModelSettings {
  /** Providers that are not read, by id. */
  readonly providersOff: readonly string[];
  /** Providers that come before all others, in this order. */
  readonly providerOrder: readonly string[];
  /** How long a server has to answer a request, unless its entry says otherwise. */
  readonly timeoutMs: number;
  readonly startupTimeoutMs: number;
  /** How long a list of tools counts as fresh. */
  readonly toolsTtlMs: number;
  /** How many servers start at the same time. */
  readonly parallelStarts: number;
  /** Text of an answer beyond this many characters goes to a file. */
  readonly resultChars: number;
  /** Images and sounds beyond this many bytes are handed over as files only. */
  readonly resultMediaBytes: number;
  /** How much the artifact folder holds; the oldest files go first. */
  readonly artifactsBytes: number;
  /** What the definitions of a session's tools may cost before `mode: "auto"` hands out tools to find them. */
  readonly toolTokens: number;
  /** How tools are named for a model. */
  readonly naming: NamingStyle;
  /** Start what `npx` would start from npm's cache without npx, where the exact version is there; never for a project's servers. */
  readonly npxFromCache: boolean;
}

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
  toolTokens: 20_000,
  naming: "plugboard",
  npxFromCache: true,
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
  "toolTokens",
] as const;
/** Timers cannot wait longer; they would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

export interface LoadedSettings {
  readonly settings: Settings;
  readonly problems: readonly Problem[];
}

/** Reads `settings.json`. A wrong setting is a problem and keeps its default; so is a provider that nobody knows. */
export async function loadSettings(
  { files }: Ports,
  places: Places,
  given: Partial<Settings>,
  providers: readonly string[],
): Promise<LoadedSettings> {
  const file = places.settings;
  const { document, problems } = await readDocument(files, file);
  if (document === undefined) return { settings: { ...DEFAULT_SETTINGS, ...given }, problems };
  const found: Problem[] = [...problems];
  const complain: Complain = (path, message) => {
    found.push(problemIn(file, "settings-invalid", message, document.at(path), "warning"));
  };
  if (!isJsonObject(document.value)) {
    found.push(problemIn(file, "settings-invalid", "must hold an object", document.at([])));
    return { settings: { ...DEFAULT_SETTINGS, ...given }, problems: found };
  }
  const settings = { ...DEFAULT_SETTINGS, ...fromFile(document.value, complain, providers), ...given };
  return { settings, problems: found };
}

/** What the file may say: `providers` is its word for `providersOff`. */
const KEYS: ReadonlySet<string> = new Set([
  "$schema",
  "providers",
  ...Object.keys(DEFAULT_SETTINGS).filter((key) => key !== "providersOff"),
]);

function fromFile(value: JsonObject, complain: Complain, known: readonly string[]): Partial<Settings> {
  for (const key of Object.keys(value).filter((each) => !KEYS.has(each))) {
    const close = nearest(key, KEYS);
    const advice = close === undefined ? "" : `; did you mean "${close}"?`;
    complain([key], `"${key}" is not a known setting${advice}`);
  }
  const settings: { -readonly [Key in keyof Settings]?: Settings[Key] } = readModelSettings(value, complain);
  for (const key of NUMBERS) {
    const given = value[key];
    if (given === undefined) continue;
    if (typeof given === "number" && given >= 1) settings[key] = Math.min(Math.floor(given), LONGEST_MS);
    else complain([key], `"${key}" must be a number from 1 up; ${DEFAULT_SETTINGS[key]} is used`);
  }
  const direct = value["npxFromCache"];
  if (typeof direct === "boolean") settings.npxFromCache = direct;
  else if (direct !== undefined)
    complain(["npxFromCache"], `"npxFromCache" must be true or false; true is used`);
  Object.assign(settings, readProviders(value, complain, known));
  const naming = NAMING_STYLES.find((style) => style === value["naming"]);
  if (naming !== undefined) settings.naming = naming;
  else if (value["naming"] !== undefined)
    complain(
      ["naming"],
      `"naming" must be one of ${NAMING_STYLES.join(", ")}; ${DEFAULT_SETTINGS.naming} is used`,
    );
  return settings;
}

/** Which providers are read, and which come first. An id that nobody knows does no harm, but does not do what was meant. */
function readProviders(
  { providers, providerOrder: order }: JsonObject,
  complain: Complain,
  known: readonly string[],
): Partial<Settings> {
  const settings: { -readonly [Key in keyof Settings]?: Settings[Key] } = {};
  const check = (id: string, path: readonly [string, string | number]): void => {
    if (known.includes(id)) return;
    const close = nearest(id, known);
    const advice =
      close === undefined ? `known are ${[...known].sort().join(", ")}` : `did you mean "${close}"?`;
    complain(path, `there is no provider "${id}"; ${advice}`);
  };
  if (isJsonObject(providers)) {
    settings.providersOff = Object.keys(providers).filter((id) => providers[id] === false);
    for (const [id, isRead] of Object.entries(providers)) {
      check(id, ["providers", id]);
      if (typeof isRead !== "boolean")
        complain(["providers", id], `"${id}" in "providers" must be true or false; it is ignored`);
    }
  } else if (providers !== undefined) {
    complain(["providers"], `"providers" must be an object such as { "cursor": false }; it is ignored`);
  }
  if (isList(order)) {
    settings.providerOrder = order.filter((id): id is string => typeof id === "string");
    for (const [index, id] of order.entries()) {
      if (typeof id === "string") check(id, ["providerOrder", index]);
      else complain(["providerOrder", index], '"providerOrder" must hold texts; this one is ignored');
    }
  } else if (order !== undefined) {
    complain(["providerOrder"], `"providerOrder" must be a list of provider ids; it is ignored`);
  }
  return settings;
}
