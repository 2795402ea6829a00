import { join } from "node:path";
import { HostError, isJsonObject, type JsonObject, type JsonValue } from "../../model/index.ts";
import { pathExists } from "../path-exists.ts";
import type { Workspace } from "../workspace.ts";
import { assertInsideProject } from "./assert-inside-project.ts";

/** Which native config file to write: the project's or the user's. */
export type WriteScope = "project" | "user";

/** Returns the native file to write for a scope. For a project: the nearest existing file, or a new one at the project's root. */
export async function nativeFile(
  { ports, places, projectFolders }: Workspace,
  scope: WriteScope,
): Promise<string> {
  if (scope === "user") return places.userConfig;
  const folders = await projectFolders();
  const files = folders.map((folder) => join(folder, ".plugboard", "mcp.json"));
  for (const file of files) {
    if ((await pathExists(ports.files, file)) && file !== places.userConfig)
      return assertInsideProject(ports.files, file, folders);
  }
  const root = files.at(-1);
  if (root === undefined || root === places.userConfig) {
    throw new HostError(
      "CONFIG_UNWRITABLE",
      "Your home folder is not a project. Its config file is the user's own.",
      {
        hint: "Use the user scope.",
      },
    );
  }
  return assertInsideProject(ports.files, root, folders);
}

/** Returns the key that holds the servers in a native file. */
export function serversKey(root: JsonObject): "mcpServers" | "servers" {
  return root["mcpServers"] === undefined && isJsonObject(root["servers"]) ? "servers" : "mcpServers";
}

/** Returns the value under a server's name, even if it is not a valid entry. */
export function serverIn(root: JsonObject, name: string): JsonValue | undefined {
  const servers = root[serversKey(root)];
  return isJsonObject(servers) && Object.hasOwn(servers, name) ? servers[name] : undefined;
}
