import { isJsonObject, type JsonObject } from "../../model/index.ts";
import { hasString, ownMember } from "../map-fields.ts";
import { type Dialect, inProject, isUnsupported } from "./dialect.ts";
import { type EntryFormat, toPlainEntry } from "./plain-entry.ts";

/** opencode tries a remote server over HTTP, then SSE. It expands placeholders in the text before parsing it. */
const WORDS: EntryFormat = {
  label: "opencode",
  placeholders: { variable: (name) => `{env:${name}}`, trap: /\{(?:env|file):/ },
  types: { stdio: "local", http: "remote", sse: "remote" },
  names: { cwd: "cwd", timeout: "timeout" },
  environment: "all",
};

/** opencode: the key `mcp`, a list as the command, and `environment` instead of `env`. */
export const opencode: Dialect = {
  id: "opencode",
  label: "opencode",
  format: "json",
  files(where, scope) {
    const { platform, home, configHome, join } = where;
    const user = join(platform === "win32" ? join(home, ".config") : configHome, "opencode");
    const folders = scope === "user" ? [user] : inProject(where);
    return folders.flatMap((folder) => [join(folder, "opencode.jsonc"), join(folder, "opencode.json")]);
  },
  keyPath: (root) => (isVersionTwo(root) ? ["mcp", "servers"] : ["mcp"]),
  toEntry(server) {
    const plain = toPlainEntry(server, WORDS);
    if (isUnsupported(plain)) return plain;
    const { type = "", command, args, env, ...rest } = plain;
    return {
      type,
      ...(command !== undefined && { command: [command, ...(Array.isArray(args) ? args : [])] }),
      ...(env !== undefined && { environment: env }),
      ...rest,
    };
  },
  launchFields: "type command args environment env cwd url headers oauth".split(" "),
  merges: true,
};

/** Version 2 keeps servers under `mcp.servers`, unless a server has the name "servers". */
function isVersionTwo(root: JsonObject): boolean {
  const mcp = ownMember(root, "mcp");
  const servers = isJsonObject(mcp) ? ownMember(mcp, "servers") : undefined;
  return (
    isJsonObject(servers) && !hasString(servers, "type") && typeof ownMember(servers, "enabled") !== "boolean"
  );
}
