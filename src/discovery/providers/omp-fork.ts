import { memberAt } from "../../documents/index.ts";
import { type JsonObject, type JsonValue, NATIVE_EXPANSION } from "../../model/index.ts";
import { hasItem, ownMember } from "../map-fields.ts";
import { withStrictJson } from "../owner-problems.ts";
import type { DiscoveryProvider, MappedEntry, SourceDocument, SourceFile, Where } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { mapSeedEntry } from "../seed-entry.ts";
import { pathFromVariable, projectFile, userFile } from "../source-files.ts";

/** How oh-my-pi and its forks differ. */
export interface OmpFork extends Pick<DiscoveryProvider, "id" | "label" | "priority"> {
  /** The folder name in the project and in the home folder, such as `.omp`. */
  readonly folder: string;
  /** The variables that choose a profile, strongest first. */
  readonly profiles?: readonly string[];
}

/** Creates a provider for oh-my-pi or a fork: the project's files, then the user's actual and documented files. */
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

/** The tool itself reads only the working folder. Plugboard also finds the project files from a subfolder. */
function filesOf({ folder, profiles = [] }: OmpFork, where: Where): SourceFile[] {
  const { home, variables, join } = where;
  const root = join(home, variables["PI_CONFIG_DIR"] || folder);
  const profile = profiles.map((variable) => variables[variable]).find((name) => name);
  const usual = profile === undefined ? join(root, "agent") : join(root, "profiles", profile, "agent");
  const agent = pathFromVariable(where, "PI_CODING_AGENT_DIR") ?? usual;
  return [
    projectFile(where, folder, "mcp.json"),
    projectFile(where, folder, ".mcp.json"),
    userFile(join(agent, "mcp.json")),
    userFile(join(agent, ".mcp.json")),
    // The documented path. The program itself reads the one above.
    userFile(join(root, "mcp.json")),
  ];
}

/** Converts "true", "0" and "5000" to the values that the tool reads them as. */
function readTexts(entry: JsonObject): JsonObject {
  const enabled = SPELLINGS.get(ownMember(entry, "enabled"));
  const timeout = ownMember(entry, "timeout");
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

/**
 * The lists in the user's files decide first. A disabled server stays disabled even if it is also listed as enabled.
 */
function switchOf(name: string, users: readonly SourceDocument[]): Pick<MappedEntry, "enabled"> {
  for (const key of ["disabledServers", "enabledServers"]) {
    const list = users.find(({ value }) => hasItem(memberAt(value, [key]), name));
    if (list !== undefined)
      return { enabled: { value: key === "enabledServers", rule: `"${key}" in ${list.file}` } };
  }
  return {};
}
