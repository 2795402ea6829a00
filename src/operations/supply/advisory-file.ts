import { join } from "node:path";
import {
  HostError,
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonValue,
  messageOf,
} from "../../model/index.ts";
import { forEachYielding, parseOwnJson } from "../../platform/index.ts";
import type { OwnPaths } from "../../state/index.ts";
import type { Workspace } from "../workspace.ts";

/** The local copy of advisories. */
export interface AdvisoryFile {
  /** When they were fetched (ISO 8601). */
  readonly fetchedAt: string;
  readonly source: string;
  /** OSV entries, reduced to what decides about packages. */
  readonly advisories: readonly JsonValue[];
}

/** The file can have hundreds of thousands of entries. */
export const MOST_BYTES: number = 512 * 1024 * 1024;

export function advisoryPath({ state }: Pick<OwnPaths, "state">): string {
  return join(state, "advisories.json");
}

/** Reads the local advisories. Returns `undefined` if they were never fetched. Throws if the file cannot be used. */
export async function readAdvisories({
  ports: { files },
  places,
}: Pick<Workspace, "ports" | "places">): Promise<AdvisoryFile | undefined> {
  const file = advisoryPath(places);
  try {
    const bytes = await files.read(file, MOST_BYTES);
    if (bytes === undefined) return undefined;
    const value = await parseOwnJson(new TextDecoder().decode(bytes));
    const { fetchedAt, source, advisories } = isJsonObject(value) ? value : {};
    if (typeof fetchedAt !== "string" || typeof source !== "string" || !Array.isArray(advisories))
      throw new Error("it contains no advisories");
    return { fetchedAt, source, advisories };
  } catch (cause) {
    throw new HostError("STATE_UNREADABLE", `${file} cannot be read (${messageOf(cause)}).`, {
      hint: "Delete it, then update the advisories.",
      cause,
    });
  }
}

/** Returns the advisories about each of these packages. Reads the list only once, with turns for other work in between. */
export async function advisoriesByName(
  { advisories }: AdvisoryFile,
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, JsonValue[]>> {
  const found = new Map<string, JsonValue[]>();
  await forEachYielding(advisories, (entry) => {
    for (const name of namesIn(entry)) {
      if (!names.has(name)) continue;
      const list = found.get(name) ?? [];
      list.push(entry);
      found.set(name, list);
    }
    return true;
  });
  return found;
}

function namesIn(entry: JsonValue): Set<string> {
  const affected = isJsonObject(entry) ? itemsOf(entry["affected"]) : [];
  return new Set(
    affected.flatMap((each) => {
      const about = isJsonObject(each) ? each["package"] : undefined;
      const { name, ecosystem } = isJsonObject(about) ? about : {};
      if (typeof name !== "string") return [];
      return [ecosystem === "PyPI" ? name.toLowerCase().replaceAll(/[-_.]+/g, "-") : name];
    }),
  );
}

const ECOSYSTEMS: ReadonlySet<unknown> = new Set(["npm", "PyPI"]);
const LONGEST_SUMMARY = 300;

/** Returns the parts of an OSV entry that decide about packages, or `undefined` if it is about other ecosystems. */
export function reduceAdvisory(entry: JsonValue): JsonObject | undefined {
  if (!isJsonObject(entry) || typeof entry["id"] !== "string") return undefined;
  const { id, aliases, summary, details, withdrawn, database_specific: specific } = entry;
  if (withdrawn !== undefined) return undefined;
  const affected = itemsOf(entry["affected"]).flatMap((each): JsonObject[] => {
    if (!isJsonObject(each) || !isJsonObject(each["package"])) return [];
    const { package: about, versions, ranges } = each;
    if (!ECOSYSTEMS.has(about["ecosystem"]) || typeof about["name"] !== "string") return [];
    return [
      {
        package: { ecosystem: about["ecosystem"] ?? null, name: about["name"] },
        ...(versions !== undefined && { versions }),
        ...(ranges !== undefined && { ranges }),
      },
    ];
  });
  if (affected.length === 0) return undefined;
  const text = typeof summary === "string" ? summary : typeof details === "string" ? details : "";
  const weaknesses = isJsonObject(specific) ? specific["cwe_ids"] : undefined;
  return {
    id,
    ...(aliases !== undefined && { aliases }),
    summary: text.slice(0, LONGEST_SUMMARY),
    affected,
    ...(weaknesses !== undefined && { database_specific: { cwe_ids: weaknesses } }),
  };
}
