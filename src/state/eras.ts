import { join } from "node:path";
import { updateFile } from "../documents/index.ts";
import { type Era, isJsonObject, type JsonObject, messageOf } from "../model/index.ts";
import type { Ports } from "../platform/index.ts";
import type { Places } from "./places.ts";

/** A server may be replaced by one of the newer era under the same launch: after this long it is asked again. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;
/** An entry this young is not written again. */
const FRESH_MS = 24 * 60 * 60 * 1_000;
const MOST_ENTRIES = 500;

/** Which era each launch was found to be of, and when. */
export interface Eras {
  /** Nothing, when it is not known, too long ago, or cannot be understood: the server is asked again. */
  recall(fingerprint: string): Promise<Era | undefined>;
  /** Nobody waits for the disk; whoever closes does. */
  remember(fingerprint: string, era: Era): void;
  saved(): Promise<void>;
}

interface Remembered {
  readonly era: Era;
  readonly seenAt: number;
}

export function createEras(ports: Ports, places: Places): Eras {
  const file = join(places.state, "eras.json");
  let known: Promise<Map<string, Remembered>> | undefined;
  let saving: Promise<void> = Promise.resolve();

  const read = async (): Promise<Map<string, Remembered>> => {
    try {
      const bytes = await ports.files.read(file);
      return bytes === undefined ? new Map() : parse(new TextDecoder().decode(bytes));
    } catch (error) {
      ports.log.log("warn", "eras.unreadable", { error: messageOf(error) });
      return new Map();
    }
  };
  const all = (): Promise<Map<string, Remembered>> => (known ??= read());

  const save = async (fingerprint: string, entry: Remembered): Promise<void> => {
    try {
      await updateFile(ports, file, (text) => {
        const entries = text === undefined ? new Map<string, Remembered>() : parse(text);
        entries.delete(fingerprint);
        const newest = [...entries, [fingerprint, entry] as const].slice(-MOST_ENTRIES);
        return `${JSON.stringify({ version: 1, eras: Object.fromEntries(newest) })}\n`;
      });
    } catch (error) {
      ports.log.log("warn", "eras.unwritable", { error: messageOf(error) });
    }
  };

  return {
    async recall(fingerprint) {
      const entry = (await all()).get(fingerprint);
      const age = entry === undefined ? 0 : ports.clock.now() - entry.seenAt;
      return age >= 0 && age < KEPT_MS ? entry?.era : undefined; // the clock may have been set back
    },
    remember(fingerprint, era) {
      saving = saving.then(async () => {
        const entries = await all();
        const before = entries.get(fingerprint);
        const seenAt = ports.clock.now();
        const age = before === undefined ? FRESH_MS : seenAt - before.seenAt;
        if (before?.era === era && age >= 0 && age < FRESH_MS) return;
        entries.set(fingerprint, { era, seenAt });
        await save(fingerprint, { era, seenAt });
      });
    },
    saved: () => saving,
  };
}

/** What cannot be understood is left out, entry by entry. */
function parse(text: string): Map<string, Remembered> {
  const { version, eras } = asObject(text);
  const entries = new Map<string, Remembered>();
  if (version !== 1 || !isJsonObject(eras)) return entries;
  for (const [fingerprint, entry] of Object.entries(eras)) {
    const { era, seenAt } = isJsonObject(entry) ? entry : {};
    const isEra = era === "legacy" || era === "modern";
    if (isEra && typeof seenAt === "number") entries.set(fingerprint, { era, seenAt });
  }
  return entries;
}

function asObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {}; // garbage remembers nothing
  }
}
