import type { Document } from "../documents/index.ts";
import type { JsonObject } from "../model/index.ts";
import { type Discovery, gather } from "./discover.ts";
import type { SourceDocument } from "./provider.ts";
import { readNative } from "./providers/native.ts";

/** Keys of an entry that only a team's gateway uses. */
const OF_GATEWAY = ["placement", "maxConcurrent", "credential"];

/** Returns the servers and bundles in a document that an administrator controls. Reads no files. */
export function readManagedDocument(document: Document, file: string): Discovery {
  const { value = {} } = document;
  const source: SourceDocument = {
    file,
    scope: "managed",
    tier: "managed",
    role: undefined,
    document,
    value,
    text: "",
  };
  const { entries, bundles = [], complaints = [] } = readNative([source]);
  const reading = {
    entries: entries.map((entry) => ({ ...entry, fields: withoutKeys(entry.fields) })),
    bundles,
    complaints: complaints.filter(({ path }) => path.length > 1), // the top level was checked before
  };
  return { ...gather([{ provider: { id: "plugboard" }, sources: [], reading }], [], []), looked: [file] };
}

function withoutKeys(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !OF_GATEWAY.includes(key)));
}
