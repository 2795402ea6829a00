import { memberAt } from "../../documents/index.ts";
import type { DiscoveryProvider } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { projectFile, userFile } from "../source-files.ts";
import { inputsById, mapVsCodeEntry, VSCODE_EXPANSION } from "./vscode-entry.ts";

/**
 * Visual Studio: `servers` as in VS Code, also in files that other tools read with another key. What it sees in
 * `.vscode/mcp.json` is what VS Code sees, and is left to that.
 */
export const visualStudio: DiscoveryProvider = {
  id: "visual-studio",
  label: "Visual Studio",
  priority: 40,
  files: (where) => [
    projectFile(where, ".vs", "mcp.json"),
    projectFile(where, ".mcp.json"),
    projectFile(where, ".cursor", "mcp.json"),
    // Elsewhere there is no Visual Studio, and this is a file of other tools.
    ...(where.platform === "win32" ? [userFile(where.join(where.home, ".mcp.json"))] : []),
  ],
  read: (documents) =>
    joinReadings(
      documents.map((source) => {
        const inputs = inputsById(memberAt(source.value, ["inputs"]));
        return readServerMap(source, {
          keys: [["servers"]],
          expansion: VSCODE_EXPANSION,
          map: (entry) => mapVsCodeEntry(entry, { inputs }),
        });
      }),
    ),
};
