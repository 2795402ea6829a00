import type { HostOptions } from "./host-api.ts";
import { CALL_ANSWERS, HostError, NAMING_STYLES, nearest, type ToolLists } from "./model/index.ts";
import type { SessionOptions } from "./session/index.ts";
import type { Stores } from "./state/index.ts";

type Check = readonly [wanted: string, isRight: (value: unknown) => boolean];

const TEXT: Check = ["a string", (value) => typeof value === "string"];
const SWITCH: Check = ["true or false", (value) => typeof value === "boolean"];
const FUNCTION: Check = ["a function", (value) => typeof value === "function"];
const OBJECT: Check = [
  "an object",
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
];
const MILLISECONDS: Check = [
  "a positive number of milliseconds",
  (value) => typeof value === "number" && value > 0,
];
const oneOf = (...words: readonly string[]): Check => [
  inWords(words.map((word) => `"${word}"`)),
  (value) => words.some((word) => word === value),
];
/** A store that lacks a method would fail only when it is first used. */
const objectWith = (...methods: readonly string[]): Check => [
  `an object with ${methods.join(", ")}`,
  (value) =>
    typeof value === "object" &&
    value !== null &&
    methods.every((method) => typeof (value as Record<string, unknown>)[method] === "function"),
];

const LIST: Check = ["a list", (value) => Array.isArray(value)];
const TEXTS: Check = [
  "a list of strings",
  (value) => Array.isArray(value) && value.every((each) => typeof each === "string"),
];
/** Checked where it is used, with its own message. */
const ANY: Check = ["", () => true];

function isRootsOption(value: unknown): boolean {
  if (Array.isArray(value) || typeof value === "function") return true;
  if (typeof value !== "object" || value === null) return false;
  const methods = ["list", "subscribe"] as const;
  return methods.every((name) => name in value && typeof Reflect.get(value, name) === "function");
}

/** Every option has a check, so that a mistyped name is noticed. */
type Checks<Options> = { readonly [Name in keyof Required<Options>]: Check };

const HOST_CHECKS: Checks<HostOptions> = {
  cwd: TEXT,
  home: TEXT,
  env: OBJECT,
  servers: OBJECT,
  fallbackServers: OBJECT,
  discover: SWITCH,
  settings: OBJECT,
  toolsTtlMs: ANY,
  timeoutMs: MILLISECONDS,
  trustProject: SWITCH,
  onApproval: FUNCTION,
  onInput: FUNCTION,
  onCall: FUNCTION,
  onSandboxDenied: FUNCTION,
  onSignIn: FUNCTION,
  onElicitation: FUNCTION,
  onSampling: FUNCTION,
  roots: ["a list, a function, or an object with list() and subscribe()", isRootsOption],
  authProvidersById: OBJECT,
  interaction: oneOf("ask", "forbid"),
  daemon: oneOf("auto", "off", "require"),
  eager: SWITCH,
  serverLogLevel: oneOf("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"),
  middleware: [
    "a list of functions",
    (value) => Array.isArray(value) && value.every((each) => typeof each === "function"),
  ],
  artifacts: [
    'false, "files" or a function',
    (value) => value === false || value === "files" || typeof value === "function",
  ],
  stores: OBJECT,
  log: ANY,
  record: TEXT,
  replay: TEXT,
  ports: OBJECT,
};

const METHODS = {
  credentials: ["get", "set", "remove", "list", "exclusively"],
  approvals: ["list", "add", "remove"],
  pins: ["get", "set"],
  catalogs: ["get", "set", "remove"],
  secrets: ["get", "set", "remove", "list"],
} as const satisfies { readonly [Name in keyof Required<Stores>]: readonly (keyof Required<Stores>[Name])[] };

const STORE_CHECKS: Checks<Stores> = {
  credentials: objectWith(...METHODS.credentials),
  approvals: objectWith(...METHODS.approvals),
  pins: objectWith(...METHODS.pins),
  catalogs: objectWith(...METHODS.catalogs),
  secrets: objectWith(...METHODS.secrets),
};

const SESSION_CHECKS: Checks<SessionOptions> = {
  servers: TEXTS,
  bundles: LIST,
  allowTools: TEXTS,
  denyTools: TEXTS,
  mode: oneOf("direct", "meta", "auto"),
  metaTools: oneOf("search", "toolloop"),
  offers: LIST,
  tools: OBJECT,
  naming: oneOf(...NAMING_STYLES),
  principal: TEXT,
  headers: OBJECT,
  continues: OBJECT,
  approval: oneOf(...CALL_ANSWERS),
};

/** Throws if an option is unknown or has a value of the wrong type. Settings are checked by `checkSettings`. */
export function checkOptions(options: HostOptions): void {
  check("option", options, HOST_CHECKS);
  if (options.stores !== undefined) check("store", options.stores, STORE_CHECKS);
}

/** The same for the options of `host.session`. An ignored option could give an agent more tools than it should have. */
export function checkSessionOptions(options: SessionOptions): void {
  check("session option", options, SESSION_CHECKS);
}

/** Returns the tool lists of a session, if it has any. */
export function toolListsOf({ allowTools, denyTools }: SessionOptions): ToolLists | undefined {
  if (allowTools === undefined && denyTools === undefined) return undefined;
  return { denyTools: denyTools ?? [], ...(allowTools && { allowTools }) };
}

/** Returns the options that a host has. Programs written for the seeds may pass others. */
export function knownOptions(options: HostOptions): HostOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(HOST_CHECKS, name)));
}

function check(kind: string, options: object, checks: Readonly<Record<string, Check>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(checks, name)) throw unknown(kind, name, Object.keys(checks));
    const [wanted, isRight] = checks[name] ?? ANY;
    if (!isRight(value)) throw new HostError("USAGE_INVALID", `The ${kind} "${name}" must be ${wanted}.`);
  }
}

/** Returns `"a", "b" or "c"`. */
function inWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function unknown(kind: string, name: string, known: readonly string[]): HostError {
  const close = nearest(name, known);
  return new HostError("USAGE_INVALID", `Unknown ${kind} "${name}".`, {
    hint: close === undefined ? `Known: ${known.join(", ")}.` : `Did you mean "${close}"?`,
  });
}
