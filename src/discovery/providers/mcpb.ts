import { isJsonObject, isList, type JsonObject, type JsonValue, NO_EXPANSION } from "../../model/index.ts";
import type { DiscoveryProvider } from "../provider.ts";
import { folderOf, projectFile } from "../source-files.ts";
import { bundleVariables, readMcpbManifest } from "../templates/mcpb-manifest.ts";

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
      const template = readMcpbManifest(source.value, where.platform);
      if (template === undefined) return []; // other programs also use this file name
      const names = bundleVariables(folderOf(where, source.file), where);
      return [
        {
          ...template,
          fields: filled(template.fields, names) as JsonObject,
          expansion: NO_EXPANSION,
          source,
          enabled: OFF,
          template: true as const,
        },
      ];
    }),
  }),
};

/** Expands the manifest's names, and converts `${user_config.KEY}` to the `{KEY}` form of templates. */
function filled(value: JsonValue, names: Readonly<Record<string, string>>): JsonValue {
  if (typeof value === "string")
    return value.replaceAll(/\$\{([^{}]+)\}/g, (whole, name: string) => {
      if (Object.hasOwn(names, name)) return names[name] ?? whole;
      return name.startsWith("user_config.") ? `{${name.slice("user_config.".length)}}` : whole;
    });
  if (isList(value)) return value.map((item) => filled(item, names));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, names)]));
}
