import type { JsonObject, JsonValue } from "../../model/index.ts";
import {
  explicit,
  HTTP_THEN_SSE,
  hasString,
  keepFields,
  noteTimeout,
  noteUnknown,
  ownMember,
  type TransportFacts,
} from "../map-fields.ts";
import type { MappedEntry } from "../provider.ts";
import { Verdict } from "../verdict.ts";

const NAMES: Readonly<Record<string, string>> = {
  command: "command",
  args: "args",
  env: "env",
  cwd: "cwd",
  headers: "headers",
  timeout: "timeout",
  trust: "trust",
  includeTools: "allowTools",
  excludeTools: "denyTools",
  oauth: "oauth",
};

/** The fields of Gemini CLI. Its fork supports a few more. */
const KNOWN: readonly string[] = [
  ...Object.keys(NAMES),
  ..."url httpUrl type tcp description authProviderType targetAudience targetServiceAccount".split(" "),
];

/** How the entries of Gemini CLI and Qwen Code differ. */
export interface GeminiEntryRules {
  readonly names?: Readonly<Record<string, string>>;
  readonly known?: readonly string[];
  /** Returns the transport of an entry with a `url`. */
  byUrl(type: JsonValue | undefined, verdict: Verdict): TransportFacts;
}

/** Maps an entry by the rules of Gemini CLI and its fork: `httpUrl` before `url` before `command`. */
export function mapGeminiEntry(entry: JsonObject, rules: GeminiEntryRules): MappedEntry {
  const verdict = new Verdict();
  const transport = transportOf(entry, rules, verdict);
  const names = { ...NAMES, ...rules.names };
  noteUnknown(entry, new Set([...KNOWN, ...Object.keys(names), ...(rules.known ?? [])]), verdict);
  noteTimeout(ownMember(entry, "timeout"), "milliseconds", verdict);
  const url = hasString(entry, "httpUrl") ? ownMember(entry, "httpUrl") : ownMember(entry, "url");
  return {
    fields: {
      ...(transport && { type: transport.kind }),
      ...keepFields(entry, names, ["httpUrl"]),
      ...(url !== undefined && { url }),
    },
    ...(transport && { transport }),
    owner: verdict.result(),
  };
}

function transportOf(
  entry: JsonObject,
  { byUrl }: GeminiEntryRules,
  verdict: Verdict,
): TransportFacts | undefined {
  const remote = hasString(entry, "httpUrl") || hasString(entry, "url");
  if (remote && hasString(entry, "command")) verdict.note("command-and-url");
  if (hasString(entry, "httpUrl")) return { kind: "http", reason: "it has an httpUrl" };
  if (hasString(entry, "url")) return byUrl(ownMember(entry, "type"), verdict);
  if (hasString(entry, "command")) return { kind: "stdio", reason: "it has a command" };
  if (hasString(entry, "tcp")) return { kind: "ws", reason: "it has a tcp address" };
  verdict.refuse("missing-command");
  return undefined;
}

/** With a `url`, the type sets the transport. Without a type, HTTP is tried first, then SSE. */
export const GEMINI_ENTRY: GeminiEntryRules = {
  byUrl(type, verdict) {
    if (type === "http" || type === "sse") return explicit(type, type);
    if (type !== undefined) verdict.note("unknown-type");
    return { kind: "http", reason: "it has a url", candidates: HTTP_THEN_SSE };
  },
};

/** A `url` means SSE, regardless of the type. */
export const QWEN_ENTRY: GeminiEntryRules = {
  names: { discoveryTimeoutMs: "startupTimeout" },
  known: ["alwaysLoadTools", "extensionName"],
  byUrl: () => ({ kind: "sse", reason: "it has a url, and HTTP servers use httpUrl" }),
};
