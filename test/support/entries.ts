import { DEFAULT_SETTINGS } from "../../src/config/index.ts";
import { declareServer } from "../../src/discovery/index.ts";
import { interpret } from "../../src/inventory/index.ts";
import type { JsonObject, Provenance, Server, ServerEntry } from "../../src/model/index.ts";

/** Sources of the three tiers that matter in tests. */
export const PROJECT: Provenance = {
  tool: "plugboard",
  scope: "project",
  tier: "project",
  file: "/project/.plugboard/mcp.json",
  line: 3,
  column: 5,
};
export const USER: Provenance = {
  ...PROJECT,
  scope: "user",
  tier: "user",
  file: "/home/me/.plugboard/mcp.json",
};
export const MANAGED: Provenance = { ...PROJECT, scope: "managed", tier: "managed", file: "/etc/mcp.json" };

/** An entry as read from a native file. */
export function entryOf(name: string, fields: JsonObject, provenance: Provenance = USER): ServerEntry {
  return interpret(declareServer(name, fields, provenance), DEFAULT_SETTINGS);
}

/** The same entry as the only one with its name. */
export function serverOf(name: string, fields: JsonObject, provenance: Provenance = USER): Server {
  return { ...entryOf(name, fields, provenance), shadowed: [] };
}
