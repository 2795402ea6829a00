import { NO_EXPANSION } from "../../model/index.ts";
import type { DiscoveryProvider } from "../provider.ts";
import { folderOf, projectFile } from "../source-files.ts";
import { readUnpackedMcpb } from "../templates/mcpb-manifest.ts";

const OFF = { value: false, rule: "its file is a template that describes how to run a server" };

/**
 * The manifest of an unpacked MCP bundle (`.mcpb`, formerly `.dxt`) in a project: a template that is always disabled.
 */
export const mcpb: DiscoveryProvider = {
  id: "mcpb",
  label: "MCP bundle",
  priority: 40,
  files: (where) => [projectFile(where, "manifest.json")],
  read: (documents, where) => ({
    entries: documents.flatMap((source) => {
      const template = readUnpackedMcpb(source.value, folderOf(where, source.file), where);
      if (template === undefined) return []; // other programs also use this file name
      return [
        {
          ...template,
          expansion: NO_EXPANSION,
          source,
          enabled: OFF,
          template: true as const,
        },
      ];
    }),
  }),
};
