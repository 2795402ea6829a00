import { memberAt } from "../../documents/index.ts";
import type { DiscoveryProvider } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { projectFile, userFile } from "../source-files.ts";
import { inputsById, mapVsCodeEntry, VSCODE_EXPANSION } from "./vscode-entry.ts";

/**
 * Visual Studio: `servers` as in VS Code, even in files that other tools read with a different key. The VS Code
 * provider reads `.vscode/mcp.json`.
 */
export const visualStudio: DiscoveryProvider = {
  id: "visual-studio",
  label: "Visual Studio",
  priority: 40,
  files: (where) => [
    projectFile(where, ".vs", "mcp.json"),
    projectFile(where, ".mcp.json"),
    projectFile(where, ".cursor", "mcp.json"),
    // Visual Studio runs only on Windows. On other platforms, this file belongs to other tools.
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
