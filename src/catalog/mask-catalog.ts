import { createPace } from "../platform/index.ts";
import type { Catalog } from "./catalog.ts";
import { setWire, wireOf } from "./wire-definitions.ts";

type Mask = (text: string) => string;

/** The lists, and the field that requests use to name an item. Masking that field would make the item unusable. */
const ID_FIELDS = {
  tools: "name",
  resources: "uri",
  resourceTemplates: "uriTemplate",
  prompts: "name",
} as const;
const LISTS = ["tools", "resources", "resourceTemplates", "prompts"] as const;
/** Longer texts are checked in overlapping pieces. */
const PIECE = 32 * 1024;
const OVERLAP = 4 * 1024;
/** Shorter keys are not checked, because shorter secrets are not masked in definitions. */
const SHORTEST_KEY = 12;
const HIDDEN = "[this text repeated a secret]";

/**
 * Masks secrets that a server repeats in its instructions and definitions, because those are stored on disk and sent to models. Items
 * without a secret stay the same objects.
 */
export async function maskCatalog(catalog: Catalog, mask: Mask | undefined): Promise<Catalog> {
  if (mask === undefined) return catalog;
  const pace = createPace();
  const holdsSecret = async (item: unknown): Promise<boolean> => {
    const waiting: unknown[] = [item];
    while (waiting.length > 0) {
      const pause = pace();
      if (pause !== undefined) await pause;
      const value = waiting.pop();
      if (typeof value === "object" && value !== null)
        for (const [key, member] of Object.entries(value)) {
          waiting.push(member);
          if (key.length >= SHORTEST_KEY) waiting.push(key);
        }
      if (typeof value !== "string") continue;
      for (let at = 0; at < value.length; at += PIECE) {
        const rest = at === 0 ? undefined : pace();
        if (rest !== undefined) await rest;
        const piece = value.slice(at, at + PIECE + OVERLAP);
        if (mask(piece) !== piece) return true;
      }
    }
    return false;
  };
  const maskText = (text: string): string => (text.length <= PIECE ? mask(text) : HIDDEN);
  const cleaned = (value: unknown): unknown => {
    if (typeof value === "string") return maskText(value);
    if (Array.isArray(value)) return value.map(cleaned);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [maskText(key), cleaned(member)]));
  };
  const cleanedItem = <T extends object>(item: T, key: string): T => {
    const kept = Object.entries(item).filter(([name]) => name === key);
    return { ...(cleaned(item) as T), ...Object.fromEntries(kept) };
  };
  const masked: Record<string, unknown> = {};
  for (const list of LISTS) {
    const items: unknown[] = [];
    for (const item of catalog[list]) {
      const wire = wireOf(item);
      if (!(await holdsSecret(wire ?? item))) items.push(item);
      else {
        const clean = cleanedItem(item, ID_FIELDS[list]);
        if (wire !== undefined) setWire(clean, cleanedItem(wire, ID_FIELDS[list]));
        items.push(clean);
      }
    }
    if (items.some((item, at) => item !== catalog[list][at])) masked[list] = items;
  }
  const { instructions } = catalog;
  if (instructions !== undefined && (await holdsSecret(instructions)))
    masked["instructions"] = maskText(instructions);
  return { ...catalog, ...masked };
}
