import { memberAt } from "../documents/index.ts";
import { isJsonObject, type JsonValue, type Profile } from "../model/index.ts";
import type { Complaint, SourceDocument, Where } from "./provider.ts";

/** The key of `activeProfiles` for all folders that do not select their own profile. */
export const EVERYWHERE = "*";

/** A profile name: letters, digits, `_`, `.` and `-`. */
export const PROFILE_NAME: RegExp = /^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,99}$/;

const MAX_PROFILES = 100;
const MAX_SERVERS = 1_000;

/** Which profile the user chose, and whose: the user's own or the project's. */
interface Choice {
  readonly name: string;
  readonly isProjects: boolean;
}

/** What the native files say about profiles. */
export interface ReadProfiles {
  readonly profiles: readonly Profile[];
  readonly complaints: readonly Complaint[];
}

/**
 * Reads the profiles of all native files. Only the user's own file decides which one is in use. If a repository's profile was chosen,
 * a profile of the user with the same name does not replace it, nor the other way round.
 */
export function readProfiles(
  documents: readonly SourceDocument[],
  where: Where | undefined,
  tool: string,
): ReadProfiles {
  const own = documents.filter(({ tier }) => tier !== "project");
  const choice = chosenIn(own, where);
  const complaints: Complaint[] = [];
  const profiles = documents.flatMap((source) => {
    const members = memberAt(source.value, ["profiles"]);
    if (members === undefined) return [];
    const report = (message: string, ...path: readonly string[]): void =>
      void complaints.push({ source, path, code: "field-type", message, severity: "warning" });
    if (!isJsonObject(members)) {
      report('"profiles" must be an object; it is ignored', "profiles");
      return [];
    }
    const entries = Object.entries(members);
    if (entries.length > MAX_PROFILES)
      report(`has more than ${MAX_PROFILES} profiles; the others are ignored`, "profiles");
    return entries.slice(0, MAX_PROFILES).flatMap(([name, value]): Profile[] => {
      const servers = namesIn(value);
      if (servers === undefined || !PROFILE_NAME.test(name)) {
        report(
          `profile "${name}" must have a valid name and a list of servers; it is ignored`,
          "profiles",
          name,
        );
        return [];
      }
      const { scope, tier, file } = source;
      const at = source.document.at(["profiles", name]);
      const active = choice?.name === name && choice.isProjects === (tier === "project");
      return [{ name, servers, active, source: { tool, scope, tier, file, ...at } }];
    });
  });
  return {
    profiles: firstActiveOnly(profiles),
    complaints: [...complaints, ...missing(own, choice, profiles)],
  };
}

/** Reports a chosen profile that no file defines. All servers stay as they are. */
function missing(
  [source]: readonly SourceDocument[],
  choice: Choice | undefined,
  profiles: readonly Profile[],
): Complaint[] {
  if (source === undefined || choice === undefined || profiles.some(({ active }) => active)) return [];
  const message = `the profile "${choice.name}" is in use, but ${choice.isProjects ? "the project does" : "you do"} not define it; no server is turned off`;
  return [{ source, path: ["activeProfiles"], code: "field-type", message, severity: "warning" }];
}

/** Two files of a project may define one name: the nearer file counts. */
function firstActiveOnly(profiles: readonly Profile[]): Profile[] {
  const first = profiles.find(({ active }) => active);
  return profiles.map((profile) => ({ ...profile, active: profile === first }));
}

/** Returns the choice for the nearest project folder, else the one for all folders. */
function chosenIn(own: readonly SourceDocument[], where: Where | undefined): Choice | undefined {
  const keys = [...(where?.projectFolders ?? []), EVERYWHERE];
  for (const { value } of own) {
    const choices = memberAt(value, ["activeProfiles"]);
    if (!isJsonObject(choices)) continue;
    for (const key of keys) {
      const choice = Object.hasOwn(choices, key) ? choices[key] : undefined;
      if (choice !== undefined) return parseChoice(choice, key);
    }
  }
  return undefined;
}

/** Parses `"name"` for the user's own profile, and `{ "project": "name" }` for the project's. */
function parseChoice(choice: JsonValue, key: string): Choice | undefined {
  if (typeof choice === "string") return { name: choice, isProjects: false };
  const name = isJsonObject(choice) && key !== EVERYWHERE ? choice["project"] : undefined;
  return typeof name === "string" ? { name, isProjects: true } : undefined;
}

function namesIn(value: JsonValue): readonly string[] | undefined {
  const isNames = Array.isArray(value) && value.every((name) => typeof name === "string");
  return isNames ? value.slice(0, MAX_SERVERS) : undefined;
}
