import { isJsonObject, type JsonObject } from "../model/index.ts";
import { explicit, hasString, ownMember, type TransportFacts } from "./map-fields.ts";
import type { MappedEntry } from "./provider.ts";
import { Verdict } from "./verdict.ts";

const TYPES = new Set(["stdio", "http", "sse"]);

/** Maps an entry by the rules of oh-my-pi and its forks. They use the same field names as Plugboard. */
export function mapSeedEntry(entry: JsonObject): MappedEntry {
  const verdict = new Verdict();
  const transport = transportOf(entry, verdict);
  const { enabled, timeout } = entry;
  if (enabled !== undefined && typeof enabled !== "boolean") verdict.note("bad-field-type");
  if (timeout !== undefined && typeof timeout !== "number") verdict.note("bad-field-type");
  for (const key of ["env", "headers"]) {
    if (ownMember(entry, key) !== undefined && !isJsonObject(ownMember(entry, key)))
      verdict.note("bad-field-type");
  }
  return { fields: entry, ...(transport && { transport }), owner: verdict.result() };
}

function transportOf(entry: JsonObject, verdict: Verdict): TransportFacts | undefined {
  const type = ownMember(entry, "type");
  const command = hasString(entry, "command");
  const url = hasString(entry, "url");
  if (command && url) verdict.refuse("command-and-url");
  if (type !== undefined) {
    if (typeof type !== "string" || !TYPES.has(type)) {
      verdict.refuse("unknown-type");
      return undefined;
    }
    if (type === "stdio" && !command) verdict.refuse("missing-command");
    if (type !== "stdio" && !url) verdict.refuse("missing-url");
    return explicit(type as "stdio" | "http" | "sse", type);
  }
  if (command) return { kind: "stdio", reason: "it has a command and no type", inferred: true };
  if (url) return { kind: "http", reason: "it has a url and no type", inferred: true };
  verdict.refuse("missing-command");
  return undefined;
}
