import {
  describeProtocolChoices,
  isList,
  isProtocolChoice,
  type JsonValue,
  type Launch,
  maskUrl,
  nearest,
  type RemoteLaunch,
  type SandboxProfile,
  type ServerDeclaration,
  type ServerEntry,
  type ToolLists,
  type ToolRules,
  type Transport,
} from "../model/index.ts";
import { parseSandbox } from "../sandbox/index.ts";
import { FieldReader } from "./field-reader.ts";
import { readToolRules } from "./read-tool-rules.ts";
import { RESERVED_NAMES } from "./reserved-names.ts";
import { readTimeLimits, type TimeDefaults } from "./time-limits.ts";

export interface Defaults extends TimeDefaults {
  readonly toolsTtlMs: number;
  /** The sandbox for local servers whose entries have none. */
  readonly sandbox?: JsonValue | undefined;
}

/** The spellings of transports that tools use. */
const TRANSPORTS: Readonly<Record<string, Exclude<Transport, "in-process">>> = {
  stdio: "stdio",
  http: "http",
  "streamable-http": "http",
  streamableHttp: "http",
  streamable_http: "http",
  sse: "sse",
};

/** Field names of a server entry; others are kept, covered by the approval, and reported. */
export const SERVER_FIELDS: ReadonlySet<string> = new Set(
  `type command args env envFile cwd url headers headersHelper enabled timeout startupTimeout installTimeout auth oauth
   authProviderId trust allowTools denyTools approval pins protocol inheritEnv eager idleStopMs maxMemoryMb share toolsTtlMs wrap sandbox resolveInProject label description bundles`.split(
    /\s+/,
  ),
);

/** Parses and validates a declaration. Checks only its structure, not whether the server is reachable. */
export function interpret(declaration: ServerDeclaration, defaults: Defaults): ServerEntry {
  const fields = new FieldReader(declaration);
  checkName(declaration.name, fields);
  const { transport, reason } = readTransport(fields, declaration);
  const protocol = readProtocol(fields);
  const declared =
    transport && (protocol === undefined ? undefined : readLaunch(transport, fields, declaration));
  const { launch, ...sandboxed } = withDefaultSandbox(declared, fields, defaults.sandbox);
  const enabled = readSwitch(fields, declaration);
  const limits = readTimeLimits(fields, declaration, defaults);
  const rules = readToolRules(fields, isNativeFormat(declaration));
  for (const field of isNativeFormat(declaration) ? Object.keys(declaration.fields) : []) {
    if (SERVER_FIELDS.has(field) || fields.isFull) continue;
    const close = nearest(field, SERVER_FIELDS);
    const advice = close === undefined ? "" : `; did you mean "${close}"?`;
    fields.complain("field-unknown", `"${field}" is not a known field${advice}`, field, "warning");
  }
  for (const field of isNativeFormat(declaration) ? [] : ["wrap", "sandbox"]) {
    if (declaration.entry === undefined || !(field in declaration.entry)) continue;
    const message = `"${field}" works only in Plugboard's own config files; the server starts without it`;
    fields.complain("field-unknown", message, field, "warning");
  }
  return {
    name: declaration.name,
    declaration,
    provenance: declaration.provenance,
    transport,
    transportReason: reason,
    launch,
    ...sandboxed,
    ...readEnabled(enabled, declaration),
    ...limits,
    rules: withLists(rules, declaration.toolLists),
    eager: fields.boolean("eager") ?? false,
    resolveInProject: fields.boolean("resolveInProject") ?? false,
    idleStopMs: fields.milliseconds("idleStopMs"),
    maxMemoryMb: fields.count("maxMemoryMb"),
    share: readShare(fields),
    toolsTtlMs: readTtl(fields, declaration) ?? defaults.toolsTtlMs,
    protocol: protocol ?? "auto",
    problems: [...declaration.problems, ...fields.problems],
  };
}

/** Adds the sandbox of the settings to a local server whose entry has neither a sandbox nor a wrapper. */
function withDefaultSandbox(
  launch: Launch | undefined,
  fields: FieldReader,
  value: JsonValue | undefined,
): Pick<ServerEntry, "launch" | "defaultSandbox"> {
  const isOpen = launch?.transport === "stdio" && launch.wrap === undefined && !fields.has("sandbox");
  const parsed = isOpen && value !== undefined ? parseSandbox(value) : { profile: undefined };
  if (!isOpen || value === undefined || "problem" in parsed || parsed.profile === undefined)
    return { launch };
  return { launch: { ...launch, sandbox: parsed.profile }, defaultSandbox: value };
}

/** The lists that the program sets, if any, replace both lists of the entry. */
function withLists(rules: ToolRules, lists: ToolLists | undefined): ToolRules {
  if (lists === undefined) return rules;
  const { allowTools: _, ...others } = rules;
  return { ...others, ...lists };
}

/** An invalid value has the strictest meaning. */
function readShare(fields: FieldReader): ServerEntry["share"] {
  const value = fields.value("share");
  if (value === undefined || value === "session" || value === "user") return value;
  const message = '"share" must be "session" or "user"; "session" is used';
  fields.complain("field-type", message, "share", "warning");
  return "session";
}

function readTtl(fields: FieldReader, declaration: ServerDeclaration): number | undefined {
  if (declaration.fields["toolsTtlMs"] === 0) return 0; // never fresh
  return fields.milliseconds("toolsTtlMs");
}

/** Other tools have their own fields. Only in Plugboard's files is an unknown field probably a typo. */
function isNativeFormat({ owner }: ServerDeclaration): boolean {
  return owner === undefined;
}

/** Plugboard writes only valid names. When it reads others, it reports them but still uses them. */
function checkName(name: string, fields: FieldReader): void {
  if (RESERVED_NAMES.has(name)) {
    fields.complain("name-invalid", "the name is reserved; rename the server in this file", "", "warning");
  } else if (name.length > 100 || !/^[a-zA-Z0-9_.-]+$/.test(name)) {
    const message = "the name should be 1 to 100 letters, digits, dots, dashes or underscores";
    fields.complain("name-invalid", message, "", "warning");
  }
}

/** An invalid value means disabled. */
function readSwitch(fields: FieldReader, declaration: ServerDeclaration): boolean | undefined {
  const value = fields.value("enabled");
  if (!isNativeFormat(declaration) || value === undefined || typeof value === "boolean")
    return fields.boolean("enabled");
  const isOn = value === "true";
  const message = `"enabled" must be true or false; ${isOn} is used`;
  fields.complain("field-type", message, "enabled", "warning");
  return isOn;
}

/** The owner's lists and policies take precedence over the entry's own field. */
function readEnabled(
  own: boolean | undefined,
  { enabled }: ServerDeclaration,
): Pick<ServerEntry, "enabled" | "enabledBy"> {
  if (enabled !== undefined) return { enabled: enabled.value, enabledBy: enabled.rule };
  if (own !== undefined) return { enabled: own, enabledBy: `"enabled": ${own} in its entry` };
  return { enabled: true, enabledBy: "by default" };
}

interface TransportReading {
  readonly transport: Transport | undefined;
  readonly reason: string;
}

function readTransport(fields: FieldReader, { transport: fromOwner }: ServerDeclaration): TransportReading {
  const type = fields.string("type");
  const hasCommand = fields.has("command");
  const hasUrl = fields.has("url");
  if (hasCommand && hasUrl) {
    const message =
      'both "command" and "url" are set - server should be either stdio (command) OR http/sse (url), not both';
    fields.complain("transport-ambiguous", message, "url", "error");
    return { transport: undefined, reason: "it has a command and a url" };
  }
  if (fromOwner?.kind === "ws") {
    fields.complain("transport-unknown", "WebSocket servers are not supported", "type", "error");
    return { transport: undefined, reason: fromOwner.reason };
  }
  if (fromOwner !== undefined && fromOwner.inferred !== true)
    return { transport: fromOwner.kind, reason: fromOwner.reason };
  if (type !== undefined) {
    const transport = Object.hasOwn(TRANSPORTS, type) ? TRANSPORTS[type] : undefined;
    if (transport === undefined) {
      const message = `unknown server type "${type}" (use "stdio", "http" or "sse")`;
      fields.complain("transport-unknown", message, "type", "error");
    }
    return { transport, reason: `"type": "${type}"` };
  }
  if (hasUrl) {
    fields.complain(
      "transport-inferred",
      'no "type"; "http" is assumed because there is a "url"',
      "url",
      "warning",
    );
    return { transport: "http", reason: "it has a url and no type" };
  }
  return {
    transport: "stdio",
    reason: hasCommand ? "it has a command and no type" : "stdio is the default when no type is set",
  };
}

/** Returns `undefined` if the entry requires an unknown protocol version. */
function readProtocol(fields: FieldReader): string | undefined {
  const protocol = fields.string("protocol") ?? "auto";
  if (isProtocolChoice(protocol)) return protocol;
  const message = `unknown protocol version "${protocol}" (use ${describeProtocolChoices()})`;
  fields.complain("protocol-unknown", message, "protocol", "error");
  return undefined;
}

function readLaunch(
  transport: Transport,
  fields: FieldReader,
  declaration: ServerDeclaration,
): Launch | undefined {
  const { inProcess } = declaration;
  if (transport === "in-process") return inProcess && { transport, source: inProcess };
  return transport === "stdio" ? readStdioLaunch(fields, declaration) : readRemoteLaunch(transport, fields);
}

/** Names a misspelled "command" in another tool's file. In a native file, every unknown field has its own problem. */
function typoOfCommand(declaration: ServerDeclaration): string {
  const unknown = Object.keys(declaration.entry ?? {}).filter((field) => !SERVER_FIELDS.has(field));
  const typo = isNativeFormat(declaration) ? undefined : nearest("command", unknown);
  return typo === undefined ? "" : `; did you mean "command" instead of "${typo}"?`;
}

function readStdioLaunch(fields: FieldReader, declaration: ServerDeclaration): Launch | undefined {
  const command = fields.string("command");
  if (!command) {
    const message = `stdio server requires "command" field${typoOfCommand(declaration)}`;
    fields.complain("command-missing", message, "command", "error");
    return undefined;
  }
  const cwd = fields.string("cwd");
  const envFile = fields.string("envFile");
  const wrap = readWrap(fields);
  if (wrap === "wrong") return undefined;
  const sandbox = readSandbox(fields);
  if (sandbox === "wrong") return undefined;
  const inheritEnv = readInheritEnv(fields);
  return {
    transport: "stdio",
    command,
    args: fields.strings("args") ?? [],
    env: fields.stringMap("env") ?? {},
    ...(envFile !== undefined && { envFile }),
    ...(cwd !== undefined && { cwd }),
    ...(wrap !== undefined && { wrap }),
    ...(sandbox !== undefined && { sandbox }),
    ...(inheritEnv !== undefined && { inheritEnv }),
  };
}

/** The wrapper protects the user from the server, so a server with an invalid wrapper is not started. */
function readWrap(fields: FieldReader): readonly string[] | undefined | "wrong" {
  const wrap = fields.value("wrap");
  if (wrap === undefined) return undefined;
  const words = isList(wrap) ? wrap : [null];
  if (words.every((word) => typeof word === "string" && word !== "")) return words as readonly string[];
  const message = '"wrap" must be a list of words such as ["bwrap", "--unshare-net"]';
  fields.complain("field-type", message, "wrap", "error");
  return "wrong";
}

/** The sandbox protects the user from the server, so a server with an invalid one is not started. */
function readSandbox(fields: FieldReader): SandboxProfile | undefined | "wrong" {
  const value = fields.value("sandbox");
  if (value === undefined) return undefined;
  const parsed = parseSandbox(value);
  if ("profile" in parsed && (parsed.profile === undefined || !fields.has("wrap"))) return parsed.profile;
  const message = "problem" in parsed ? parsed.problem : '"sandbox" cannot be combined with "wrap"';
  fields.complain("field-type", message, "sandbox", "error");
  return "wrong";
}

function readInheritEnv(fields: FieldReader): boolean | readonly string[] | undefined {
  return fields.isList("inheritEnv") ? fields.strings("inheritEnv") : fields.boolean("inheritEnv");
}

function readRemoteLaunch(transport: "http" | "sse", fields: FieldReader): Launch | undefined {
  const url = fields.string("url");
  if (!url) {
    fields.complain("url-missing", `${transport} server requires "url" field`, "url", "error");
    return undefined;
  }
  if (/\p{Cc}/u.test(url)) {
    fields.complain("url-invalid", '"url" contains line breaks or control characters', "url", "error");
    return undefined;
  }
  if (!/[${]/.test(url) && !isWebAddress(url)) {
    fields.complain("url-invalid", `"${maskUrl(url)}" is not an http or https URL`, "url", "error");
    return undefined;
  }
  return { transport, url, headers: fields.stringMap("headers") ?? {}, ...readHeadersFromEnv(fields) };
}

/** Some tools, such as Codex, name the variables that contain a token or a header. */
function readHeadersFromEnv(fields: FieldReader): Pick<RemoteLaunch, "headersFromEnv"> {
  const bearer = fields.string("bearerTokenEnv");
  const named = Object.entries(fields.stringMap("envHeaders") ?? {}).map(
    ([header, variable]) => [header, { variable, prefix: "" }] as const,
  );
  const all =
    bearer === undefined
      ? named
      : [["Authorization", { variable: bearer, prefix: "Bearer " }] as const, ...named];
  return all.length === 0 ? {} : { headersFromEnv: Object.fromEntries(all) };
}

function isWebAddress(text: string): boolean {
  try {
    return ["http:", "https:"].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}
