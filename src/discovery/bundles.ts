import { memberAt } from "../documents/index.ts";
import { type Bundle, isJsonObject, type JsonObject, type JsonValue } from "../model/index.ts";
import { maxServers, tooManyProblems } from "./limits.ts";
import type { Complaint, RawBundle, SourceDocument } from "./provider.ts";

/** Returns the bundles declared in a file, without validation. */
export function rawBundles(source: SourceDocument): RawBundle[] {
  const bundles = memberAt(source.value, ["bundles"]);
  if (!isJsonObject(bundles)) return [];
  return Object.entries(bundles)
    .slice(0, maxServers(source))
    .map(([id, value]) => ({ id, source, path: ["bundles", id], value }));
}

/** Returns a problem if the file declares too many bundles. */
export function tooManyBundles(source: SourceDocument): Complaint[] {
  const bundles = memberAt(source.value, ["bundles"]);
  return isJsonObject(bundles) ? tooManyProblems(source, Object.keys(bundles).length, "bundles") : [];
}

/**
 * Returns a lookup of the bundles that a project's file declares for a server. They are part of what the user
 * approves, so changing them requires a new approval. All servers of the file share one pass over the bundles.
 */
export function approvedBundles(source: SourceDocument): (server: string) => JsonObject {
  const byServer = new Map<string, [string, JsonValue][]>();
  for (const { id, value } of source.tier === "project" ? rawBundles(source) : []) {
    const server = isJsonObject(value) ? value["serverId"] : undefined;
    if (typeof server !== "string") continue;
    const known = byServer.get(server);
    if (known === undefined) byServer.set(server, [[id, value]]);
    else known.push([id, value]);
  }
  return (server) => {
    const bundles = byServer.get(server);
    return bundles === undefined ? {} : { bundles: Object.fromEntries(bundles) };
  };
}

export interface ReadBundle {
  readonly bundle?: Bundle;
  readonly wrong: readonly string[];
}

/**
 * Parses one bundle. A bundle without a server is rejected. An invalid allow list allows no tools; an invalid deny
 * list denies all.
 */
export function readBundle({ id, source, path, value }: RawBundle, tool: string): ReadBundle {
  const wrong: string[] = [];
  if (!isJsonObject(value) || typeof value["serverId"] !== "string")
    return { wrong: [`bundle "${id}" must be an object with a "serverId"; it is ignored`] };
  const { serverId, mode, allowTools, denyTools, label } = value;
  const allowed = allowTools === undefined ? undefined : namesIn(allowTools);
  if (allowTools !== undefined && (allowed === undefined || allowed.length === 0))
    wrong.push(
      `"allowTools" of bundle "${id}" must be a non-empty list of tools; until you fix it, no tools are allowed`,
    );
  const denied = denyTools === undefined ? [] : namesIn(denyTools);
  if (denied === undefined)
    wrong.push(
      `"denyTools" of bundle "${id}" must be a list of tools; until you fix it, all tools are denied`,
    );
  if (mode !== undefined && mode !== "direct" && mode !== "meta")
    wrong.push(`"mode" of bundle "${id}" must be "direct" or "meta"; "meta" is used`);
  const { scope, tier, file } = source;
  return {
    wrong,
    bundle: {
      id,
      server: serverId,
      mode: mode === undefined || mode === "direct" ? "direct" : "meta",
      ...(allowTools !== undefined && { allowTools: allowed ?? [] }),
      denyTools: denied ?? ["*"],
      ...(typeof label === "string" && { label }),
      source: { tool, scope, tier, file, ...source.document.at(path) },
    },
  };
}

function namesIn(value: JsonValue): readonly string[] | undefined {
  const isNames = Array.isArray(value) && value.every((name) => typeof name === "string");
  return isNames ? value : undefined;
}
