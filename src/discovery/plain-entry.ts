import type { JsonObject, JsonValue } from "../model/index.ts";
import {
  COMMON_FIELDS,
  checkStringList,
  checkStringMap,
  fromSeconds,
  HTTP_THEN_SSE,
  hasString,
  keepFields,
  ownMember,
  type TransportFacts,
} from "./map-fields.ts";
import type { MappedEntry } from "./provider.ts";
import { Verdict } from "./verdict.ts";

/** How a tool reads a url without a type. */
export type PlainUrl =
  | TransportFacts["kind"]
  /** HTTP first, then SSE. */
  | "http-sse"
  /** The tool skips it. */
  | "needs-type"
  /** The tool starts programs only. */
  | "unsupported"
  /** Not documented. */
  | "unknown";

/** How a tool's entries differ from the common entry format. */
export interface EntryRules {
  readonly url: PlainUrl;
  /** The tool's field names that differ from Plugboard's. */
  readonly names?: Readonly<Record<string, string>>;
  /** The types that the tool supports. Omitted if it infers the transport from the other fields. */
  readonly types?: Readonly<Record<string, TransportFacts["kind"]>>;
  /** The field that holds the type. */
  readonly typeField?: string;
  /** Whether the tool supports `disabled: true`. */
  readonly disabled?: boolean;
  /** The fields in seconds, by Plugboard's names. */
  readonly seconds?: readonly string[];
  /** Whether the tool rejects entries whose `args`, `env` or `headers` contain values other than strings. */
  readonly strict?: boolean;
}

/** Maps an entry in the common format by its owner's rules. */
export function mapPlainEntry(
  entry: JsonObject,
  rules: EntryRules,
  verdict: Verdict = new Verdict(),
): MappedEntry {
  const { names = {}, typeField = "type", disabled = false, seconds = [] } = rules;
  const kept = keepFields(entry, { ...COMMON_FIELDS, ...names }, [
    typeField,
    ...(disabled ? ["disabled"] : []),
  ]);
  const type = ownMember(entry, typeField);
  const transport = plainTransport(kept, type, rules, verdict);
  if (rules.strict === true) checkStrings(kept, verdict);
  const inMilliseconds = Object.fromEntries(
    seconds.flatMap((field) => {
      const value = fromSeconds(ownMember(kept, field));
      return value === undefined ? [] : [[field, value]];
    }),
  );
  const off = ownMember(entry, "disabled");
  return {
    fields: {
      ...(transport ? { type: transport.kind } : type !== undefined && { type }),
      ...kept,
      ...inMilliseconds,
      ...(disabled && off !== undefined && { enabled: typeof off === "boolean" ? !off : off }),
    },
    ...(transport && { transport }),
    owner: verdict.result(),
  };
}

/** Refuses the entry if `args`, `env` or `headers` contain values other than strings. */
export function checkStrings(fields: JsonObject, verdict: Verdict): void {
  checkStringList(fields, "args", verdict);
  checkStringMap(fields, "env", verdict);
  checkStringMap(fields, "headers", verdict);
}

function plainTransport(
  fields: JsonObject,
  type: JsonValue | undefined,
  { types, url: urlAlone, typeField = "type" }: EntryRules,
  verdict: Verdict,
): TransportFacts | undefined {
  const command = hasString(fields, "command");
  const url = hasString(fields, "url");
  if (command && url) verdict.note("command-and-url");
  if (types !== undefined && type !== undefined) {
    const kind = typeof type === "string" && Object.hasOwn(types, type) ? types[type] : undefined;
    if (kind === undefined) {
      verdict.refuse("unknown-type");
      return undefined;
    }
    if (kind === "stdio" && !command) verdict.refuse("missing-command");
    if (kind !== "stdio" && !url) verdict.refuse("missing-url");
    return { kind, reason: `"${typeField}": "${String(type)}"` };
  }
  if (command) return { kind: "stdio", reason: "it has a command" };
  if (!url) {
    verdict.refuse("missing-command");
    return undefined;
  }
  switch (urlAlone) {
    case "http-sse":
      return { kind: "http", reason: "it has a url", candidates: HTTP_THEN_SSE };
    case "needs-type":
      verdict.refuse("url-without-type");
      return undefined;
    case "unsupported":
      verdict.refuse("unsupported-transport");
      return undefined;
    case "unknown":
      return undefined;
    default:
      return { kind: urlAlone, reason: "it has a url" };
  }
}
