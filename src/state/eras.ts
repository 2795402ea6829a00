import { join } from "node:path";
import { type Era, isJsonObject, type JsonObject, messageOf } from "../model/index.ts";
import type { Ports } from "../platform/index.ts";
import type { DeferredWrites } from "./deferred-writes.ts";
import type { OwnPaths } from "./own-paths.ts";

/** The era is detected again after this time, because a launch can start a newer server. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;
/** A younger entry is not written again. */
const FRESH_MS = 24 * 60 * 60 * 1_000;
const MAX_ENTRIES = 5_000;

/** Stores the detected era of each launch. */
export interface Eras {
  /** Returns the era of a launch, or `undefined` if it is unknown or outdated. The era is then detected again. */
  recall(fingerprint: string): Promise<Era | undefined>;
  /** Saves the era of a launch. */
  remember(fingerprint: string, era: Era): void;
}

interface Remembered {
  readonly era: Era;
  readonly seenAt: number;
}

/** Creates the store of eras. */
export function createEras(ports: Ports, places: OwnPaths, later: DeferredWrites): Eras {
  const file = join(places.state, "eras.json");
  let known: Promise<Map<string, Remembered>> | undefined;
  /** Eras detected in this run that are not saved yet. */
  let found = new Map<string, Remembered>();

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

  /**
   * Saves all new eras together. Skips entries that are still fresh. Entries that another process writes at the same
   * moment may be lost; those eras are detected again.
   */
  const save = async (): Promise<void> => {
    const entries = await all();
    const changes = [...found].filter(([fingerprint, { era, seenAt }]) => {
      const before = entries.get(fingerprint);
      const age = before === undefined ? FRESH_MS : seenAt - before.seenAt;
      return before?.era !== era || age < 0 || age >= FRESH_MS;
    });
    found = new Map();
    if (changes.length === 0) return;
    for (const [fingerprint, entry] of changes) entries.set(fingerprint, entry);
    const saved = await read();
    for (const [fingerprint] of changes) saved.delete(fingerprint);
    const newest = [...saved, ...changes].slice(-MAX_ENTRIES);
    await ports.files.makeFolder(places.state, 0o700);
    const text = `${JSON.stringify({ version: 1, eras: Object.fromEntries(newest) })}\n`;
    await ports.files.replace(file, text, 0o600);
  };

  return {
    async recall(fingerprint) {
      const entry = found.get(fingerprint) ?? (await all()).get(fingerprint);
      const age = entry === undefined ? 0 : ports.clock.now() - entry.seenAt;
      return age >= 0 && age < KEPT_MS ? entry?.era : undefined; // negative if the clock was set back
    },
    remember(fingerprint, era) {
      found.set(fingerprint, { era, seenAt: ports.clock.now() });
      later.put("eras", save);
    },
  };
}

/** Parses the file. Skips invalid entries. */
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
    return {}; // not JSON
  }
}
