import { memberAt } from "../../documents/index.ts";
import { type JsonObject, type JsonValue, NATIVE_EXPANSION } from "../../model/index.ts";
import { hasItem, own } from "../map-fields.ts";
import { withStrictJson } from "../owner-complaints.ts";
import type { DiscoveryProvider, MappedEntry, SourceDocument, SourceFile, Where } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { mapSeedEntry } from "../seed-entry.ts";
import { pathIn, projectFile, userFile } from "../source-files.ts";

/** What tells oh-my-pi and its forks apart. */
export interface OmpFork extends Pick<DiscoveryProvider, "id" | "label" | "priority"> {
  /** `.omp`, in the project and at home. */
  readonly folder: string;
  /** Variables that choose a profile, strongest first. */
  readonly profiles?: readonly string[];
}

/** A provider for oh-my-pi or a fork: the project's files, then the user's, real and documented. */
export function createOmpFork(fork: OmpFork): DiscoveryProvider {
  const { id, label, priority } = fork;
  return {
    id,
    label,
    priority,
    files: (where) => filesOf(fork, where),
    read(documents) {
      const users = documents.filter(({ tier }) => tier !== "project");
      return joinReadings(
        documents.map((source) => {
          const reading = readServerMap(source, {
            keys: [["mcpServers"]],
            expansion: NATIVE_EXPANSION,
            map: (entry, name) => ({ ...mapSeedEntry(readTexts(entry)), ...switchOf(name, users) }),
          });
          return withStrictJson(reading, source, label);
        }),
      );
    },
  };
}

/** The product itself looks into the working folder only; from a subfolder its project files are found here all the same. */
function filesOf({ folder, profiles = [] }: OmpFork, where: Where): SourceFile[] {
  const { home, variables, join } = where;
  const root = join(home, variables["PI_CONFIG_DIR"] || folder);
  const profile = profiles.map((variable) => variables[variable]).find((name) => name);
  const usual = profile === undefined ? join(root, "agent") : join(root, "profiles", profile, "agent");
  const agent = pathIn(where, "PI_CODING_AGENT_DIR") ?? usual;
  return [
    projectFile(where, folder, "mcp.json"),
    projectFile(where, folder, ".mcp.json"),
    userFile(join(agent, "mcp.json")),
    userFile(join(agent, ".mcp.json")),
    // The place its documents name; the program itself reads the one above.
    userFile(join(root, "mcp.json")),
  ];
}

/** It takes "true", "0" and "5000" for what they say. */
function readTexts(entry: JsonObject): JsonObject {
  const enabled = SPELLINGS.get(own(entry, "enabled"));
  const timeout = own(entry, "timeout");
  return {
    ...entry,
    ...(enabled !== undefined && { enabled }),
    ...(typeof timeout === "string" && /^\d+$/.test(timeout) && { timeout: Number(timeout) }),
  };
}

const SPELLINGS: ReadonlyMap<JsonValue | undefined, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Lists in the user's files decide first, and off beats on. */
function switchOf(name: string, users: readonly SourceDocument[]): Pick<MappedEntry, "enabled"> {
  for (const key of ["disabledServers", "enabledServers"]) {
    const list = users.find(({ value }) => hasItem(memberAt(value, [key]), name));
    if (list !== undefined)
      return { enabled: { value: key === "enabledServers", rule: `"${key}" in ${list.file}` } };
  }
  return {};
}
