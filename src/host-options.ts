import type { HostOptions } from "./host-api.ts";
import { HostError } from "./model/index.ts";

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
  words.map((word) => `"${word}"`).join(words.length === 2 ? " or " : ", "),
  (value) => words.some((word) => word === value),
];

const CHECKS: { readonly [Name in keyof HostOptions]?: Check } = {
  cwd: TEXT,
  home: TEXT,
  env: OBJECT,
  servers: OBJECT,
  fallbackServers: OBJECT,
  discover: SWITCH,
  settings: OBJECT,
  timeoutMs: MILLISECONDS,
  trustProject: SWITCH,
  onApproval: FUNCTION,
  onInput: FUNCTION,
  onCall: FUNCTION,
  onSandboxDenied: FUNCTION,
  onSignIn: FUNCTION,
  onElicitation: FUNCTION,
  onSampling: FUNCTION,
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
  ports: OBJECT,
};

/** Throws if an option has a value of the wrong type. Settings are checked by `checkSettings`. */
export function checkOptions(options: HostOptions): void {
  for (const [name, [wanted, isRight]] of Object.entries(CHECKS)) {
    const value: unknown = options[name as keyof HostOptions];
    if (value !== undefined && !isRight(value))
      throw new HostError("USAGE_INVALID", `The option "${name}" must be ${wanted}.`);
  }
}
