import type { ExpansionRules, JsonObject, JsonValue } from "../../model/index.ts";
import {
  COMMON_FIELDS,
  checkStringMap,
  explicit,
  hasString,
  ownMember,
  pickFields,
  type TransportFacts,
} from "../map-fields.ts";
import type { MappedEntry } from "../provider.ts";
import { Verdict } from "../verdict.ts";

/** `${VAR}` and `${VAR:-d}` in all fields. An empty variable counts as set. */
export const CLAUDE_EXPANSION: ExpansionRules = { syntaxes: ["braced", "default"], unset: "literal" };

const TYPES: Readonly<Record<string, TransportFacts["kind"]>> = {
  stdio: "stdio",
  http: "http",
  "streamable-http": "http",
  sse: "sse",
  ws: "ws",
};
const RESERVED = new Set(["workspace", "__proto__", "Claude Preview", "Claude Browser"]);
const KNOWN = new Set(
  "type command args env url headers headersHelper oauth timeout alwaysLoad request_timeout_ms".split(" "),
);

/** Maps an entry by Claude Code's rules: the default type is stdio, so a url without a type is skipped. */
export function mapClaudeEntry(entry: JsonObject, name: string): MappedEntry {
  const verdict = new Verdict();
  const type = ownMember(entry, "type");
  const transport = transportOf(entry, type, verdict);
  checkStringMap(entry, "env", verdict);
  checkStringMap(entry, "headers", verdict);
  if (RESERVED.has(name)) verdict.refuse("reserved-name");
  else if (!/^[A-Za-z0-9_-]+$/.test(name) && !name.startsWith("plugin:")) verdict.note("invalid-name");
  if (hasString(entry, "command") && hasString(entry, "url")) verdict.note("command-and-url");
  if (Object.keys(entry).some((key) => !KNOWN.has(key))) verdict.note("unsupported-field");
  const timeout = ownMember(entry, "timeout");
  return {
    fields: {
      ...(type !== undefined && { type: transport?.kind ?? type }),
      ...pickFields(entry, { ...COMMON_FIELDS, headersHelper: "headersHelper", oauth: "oauth" }),
      ...(isUsableTimeout(timeout) && { timeout }),
    },
    ...(transport && { transport }),
    owner: verdict.result(),
  };
}

/** Claude Code ignores timeouts below one second. */
function isUsableTimeout(value: JsonValue | undefined): value is number {
  return typeof value === "number" && value >= 1000;
}

function transportOf(
  entry: JsonObject,
  type: JsonValue | undefined,
  verdict: Verdict,
): TransportFacts | undefined {
  const command = hasString(entry, "command");
  const url = hasString(entry, "url");
  if (type === undefined) {
    if (command) return { kind: "stdio", reason: "stdio is the default when no type is set" };
    verdict.refuse(url ? "url-without-type" : "missing-command");
    return undefined;
  }
  const kind = typeof type === "string" && Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (kind === undefined) {
    verdict.refuse("unknown-type");
    return undefined;
  }
  if (kind === "stdio" && !command) verdict.refuse("missing-command");
  if (kind !== "stdio" && !url) verdict.refuse("missing-url");
  return explicit(kind, String(type));
}
