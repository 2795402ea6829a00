import type { Document } from "../documents/index.ts";
import { isJsonObject, type JsonObject } from "../model/index.ts";
import type { Complaint, ParsedSource, RawEntry } from "./provider.ts";

/** Reads the servers under the first of `keys` that is there; `map` puts an entry into Plugboard's field names. */
export function parseServerMap(
  document: Document,
  keys: readonly string[],
  map: (entry: JsonObject) => JsonObject = (entry) => entry,
): ParsedSource {
  const root = document.value;
  const names = keys.map((key) => `"${key}"`).join(" or ");
  if (!isJsonObject(root)) {
    return nothing({ code: "file-shape", message: `must hold an object with ${names}`, path: [] });
  }
  const key = keys.find((candidate) => root[candidate] !== undefined);
  if (key === undefined) return { entries: [], complaints: [] };
  const servers = root[key];
  if (!isJsonObject(servers)) {
    return nothing({
      code: "file-shape",
      message: `"${key}" must be an object of servers by name`,
      path: [key],
    });
  }
  const entries: RawEntry[] = [];
  const complaints: Complaint[] = [];
  for (const [name, entry] of Object.entries(servers)) {
    const path = [key, name];
    if (isJsonObject(entry)) entries.push({ name, path, fields: map(entry) });
    else complaints.push({ code: "entry-shape", message: `server "${name}" must be an object`, path });
  }
  return { entries, complaints };
}

function nothing(complaint: Complaint): ParsedSource {
  return { entries: [], complaints: [complaint] };
}
