import { memberAt } from "../../documents/index.ts";
import {
  type ExpansionRules,
  type InputRequest,
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
} from "../../model/index.ts";
import { hasString, ownMember, pickFields, stringIn } from "../map-fields.ts";
import { mergeObjects } from "../merge-layers.ts";
import type { Where } from "../provider.ts";
import { Verdict } from "../verdict.ts";
import type { ServerTemplate } from "./template.ts";

/** `${user_config.KEY}` is entered by the user. The other names depend on the bundle's folder. */
const EXPANSION: ExpansionRules = { syntaxes: ["foreign"], unset: "literal" };

/** Reads the server from the `manifest.json` of an MCP bundle (`.mcpb`, formerly `.dxt`), for one platform. */
export function readMcpbManifest(manifest: JsonValue, platform: string): ServerTemplate | undefined {
  const server = memberAt(manifest, ["server"]);
  if (!isJsonObject(manifest) || !isJsonObject(server) || !isManifest(manifest)) return undefined;
  const verdict = new Verdict();
  const config = configOf(server, platform);
  const type = stringIn(server, "type");
  if (!["node", "python", "binary", "uv"].includes(type)) verdict.refuse("unknown-type");
  if (!hasString(config, "command")) verdict.refuse("missing-command");
  const platforms = memberAt(manifest, ["compatibility", "platforms"]);
  const isForeign = Array.isArray(platforms) && !platforms.includes(platform);
  return {
    name: stringIn(manifest, "name"),
    path: ["server"],
    fields: {
      type: "stdio",
      ...pickFields(config, { command: "command", args: "args", env: "env" }),
      ...pickFields(manifest, { display_name: "label", description: "description", version: "version" }),
    },
    transport: { kind: "stdio", reason: "a bundle always runs a program" },
    ...(isForeign && {
      enabled: {
        value: false,
        rule: `"compatibility.platforms" in its manifest does not include ${platform}`,
      },
    }),
    owner: verdict.result(),
    inputs: inputsOf(ownMember(manifest, "user_config")),
    expansion: EXPANSION,
  };
}

/** Returns the values of the names in a bundle's manifest, for a bundle in this folder. */
export function bundleVariables(
  folder: string,
  { platform, home, join }: Pick<Where, "platform" | "home" | "join">,
): Record<string, string> {
  const separator = platform === "win32" ? "\\" : "/";
  return {
    __dirname: folder,
    HOME: home,
    DESKTOP: join(home, "Desktop"),
    DOCUMENTS: join(home, "Documents"),
    DOWNLOADS: join(home, "Downloads"),
    pathSeparator: separator,
    "/": separator,
  };
}

/** Reads the server of a bundle that is unpacked in this folder. User inputs have the `{KEY}` form of templates. */
export function readUnpackedMcpb(
  manifest: JsonValue,
  folder: string,
  where: Pick<Where, "platform" | "home" | "join">,
): ServerTemplate | undefined {
  const template = readMcpbManifest(manifest, where.platform);
  if (template === undefined) return undefined;
  const names = bundleVariables(folder, where);
  return {
    ...template,
    fields: filled(template.fields, names) as JsonObject,
    inputs: template.inputs.map((input) =>
      input.default === undefined ? input : { ...input, default: String(filled(input.default, names)) },
    ),
  };
}

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

function isManifest(manifest: JsonObject): boolean {
  return (
    (hasString(manifest, "manifest_version") || hasString(manifest, "dxt_version")) &&
    hasString(manifest, "name")
  );
}

/** Returns how to start the server on this platform. A `uv` bundle may leave that to the host. */
function configOf(server: JsonObject, platform: string): JsonObject {
  const config = ownMember(server, "mcp_config");
  const entryPoint = stringIn(server, "entry_point");
  if (!isJsonObject(config)) {
    return stringIn(server, "type") === "uv" && entryPoint !== ""
      ? { command: "uv", args: ["run", "--directory", "${__dirname}", entryPoint] }
      : {};
  }
  const special = memberAt(config, ["platform_overrides", platform]);
  return isJsonObject(special) ? mergeObjects(config, special) : config;
}

function inputsOf(userConfig: JsonValue | undefined): InputRequest[] {
  if (!isJsonObject(userConfig)) return [];
  return Object.entries(userConfig).flatMap(([id, option]) => {
    if (!isJsonObject(option)) return [];
    const given = ownMember(option, "default");
    const description = stringIn(option, "description") || stringIn(option, "title");
    return {
      id,
      ...(ownMember(option, "sensitive") === true && { secret: true }),
      ...(ownMember(option, "required") === true && { required: true }),
      ...(["string", "number", "boolean"].includes(typeof given) && { default: String(given) }),
      ...(description !== "" && { description }),
    };
  });
}
