import type { DiscoveryProvider } from "../provider.ts";
import { readOpencode } from "./opencode-entry.ts";
import { type OpencodeFamily, opencodeFiles } from "./opencode-files.ts";

const FAMILY: OpencodeFamily = {
  name: "opencode",
  olderNames: ["config.json"],
  folders: [".opencode"],
  variables: { file: "OPENCODE_CONFIG", folder: "OPENCODE_CONFIG_DIR" },
};

/** opencode: the key `mcp`, files merged field by field. `$OPENCODE_CONFIG_CONTENT` is not supported. */
export const opencode: DiscoveryProvider = {
  id: "opencode",
  label: "opencode",
  priority: 55,
  files: (where) => opencodeFiles(FAMILY, where),
  read: (documents) => readOpencode(documents, opencode),
};
