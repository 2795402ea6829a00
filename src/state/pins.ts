import { join } from "node:path";
import { updateFile } from "../documents/index.ts";
import { isJsonObject, type JsonObject, messageOf } from "../model/index.ts";
import type { Ports } from "../platform/index.ts";
import type { Places } from "./places.ts";

/** A server's tools as they were when they were looked at. */
export interface SavedPins {
  readonly takenAt: string;
  readonly tools: ReadonlyMap<string, JsonObject>;
}

export interface PinFiles {
  /** Nothing when none were taken; throws when they cannot be understood: then nothing counts as looked at. */
  read(fingerprint: string): Promise<SavedPins | undefined>;
  write(fingerprint: string, pins: SavedPins, how: "first" | "replace"): Promise<void>;
}

/** One file per launch, named by its fingerprint and never by what a server calls itself. */
export function createPinFiles(ports: Ports, places: Places): PinFiles {
  const fileOf = (fingerprint: string): string => join(places.state, "pins", `${fingerprint}.json`);
  return {
    async read(fingerprint) {
      const file = fileOf(fingerprint);
      const bytes = await ports.files.read(file);
      if (bytes === undefined) return undefined;
      try {
        return parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
      } catch (error) {
        throw new Error(`${file} cannot be read (${messageOf(error)})`, { cause: error });
      }
    },
    async write(fingerprint, { takenAt, tools }, how) {
      const text = `${JSON.stringify({ version: 1, takenAt, tools: [...tools] })}\n`;
      // Of two that take pins at the same time the first one counts.
      await updateFile(ports, fileOf(fingerprint), (current) =>
        current === undefined || how === "replace" ? text : undefined,
      );
    },
  };
}

function parse(text: string): SavedPins {
  const saved: unknown = JSON.parse(text);
  const { version, takenAt, tools } = isJsonObject(saved) ? saved : {};
  if (version !== 1 || typeof takenAt !== "string" || !Array.isArray(tools))
    throw new Error("it holds no pins of this version");
  const entries = (tools as readonly unknown[]).map((entry) => {
    const [name, fields] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
    if (typeof name !== "string" || !isJsonObject(fields)) throw new Error("one of its pins is none");
    return [name, fields] as const;
  });
  return { takenAt, tools: new Map(entries) };
}
