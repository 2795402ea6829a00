import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { JsonValue } from "../../../src/model/index.ts";
import { anchorOf } from "../markdown.ts";
import { table } from "./tables.ts";

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly default?: JsonValue;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | false;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const read = (name: string): Schema =>
  JSON.parse(readFileSync(`schemas/${name}.schema.json`, "utf8")) as Schema;
const mcp = read("mcp");
const settings = read("settings");
const { server, bundle, oauth } = mcp.$defs as Readonly<Record<"server" | "bundle" | "oauth", Schema>>;
const provider = settings.properties?.["modelProviders"]?.additionalProperties || {};

/** Objects with their own table, and the schema that contains them. */
const SECTIONS: readonly (readonly [title: string, about: string, part: Schema, whole: Schema])[] = [
  ["The config file", "`~/.plugboard/mcp.json`, and `.plugboard/mcp.json` in a project.", mcp, mcp],
  ["A server", "One entry of `mcpServers`. It has either a `command` or a `url`.", server, mcp],
  ["oauth", "How to sign in to a server. See [signing in](../sign-in.md).", oauth, mcp],
  ["idp", "An object in `oauth`.", oauth.properties?.["idp"] ?? {}, mcp],
  ["A bundle", "One entry of `bundles`. `serverId` is required.", bundle, mcp],
  ["The settings", "`~/.plugboard/settings.json`.", settings, settings],
  ["A model provider", "One entry of `modelProviders`.", provider, settings],
];

/** `npx vitest run test/docs/reference -u` regenerates the page. */
test("the configuration reference matches the schemas", async () => {
  await expect(page()).toMatchFileSnapshot("../../../docs/reference/configuration.md");
});

test("every key has a description", () => {
  const undocumented = SECTIONS.flatMap(([title, , part, whole]) =>
    Object.entries(part.properties ?? {})
      .filter(([, key]) => meaning(key, whole) === "")
      .map(([key]) => `${title}: ${key}`),
  );
  expect(undocumented).toEqual([]);
});

function page(): string {
  return `${[
    "# Configuration reference",
    "Every key of Plugboard's own files, generated from the JSON Schemas in the package: `schemas/mcp.schema.json` and `schemas/settings.schema.json`. [Configuration](../configure.md) explains how to use them.",
    SECTIONS.map(([title]) => `- [${title}](#${anchorOf(title)})`).join("\n"),
    ...SECTIONS.flatMap(([title, about, part, whole]) => [`## ${title}`, about, keyTable(part, whole)]),
  ].join("\n\n")}\n`;
}

function keyTable({ properties = {} }: Schema, whole: Schema): string {
  const rows = Object.entries(properties).map(([key, schema]) => {
    const defaultValue = schema.default === undefined ? "" : `\`${JSON.stringify(schema.default)}\``;
    return [`\`${key}\``, kind(schema, whole), defaultValue, meaning(schema, whole)];
  });
  return table(["key", "type", "default", "meaning"], rows);
}

function meaning(schema: Schema, whole: Schema): string {
  return schema.description ?? follow(schema, whole).description ?? "";
}

/** Describes a type in words. Objects with their own table are links to it. */
function kind(schema: Schema, whole: Schema): string {
  const found = follow(schema, whole);
  const section = SECTIONS.find(([, , part]) => part === found || part === found.additionalProperties);
  if (section !== undefined) {
    const link = `[${section[0].toLowerCase()}](#${anchorOf(section[0])})`;
    if (found.additionalProperties) return `object: name → ${link}`;
    return found.type === "object" ? link : `boolean or ${link}`;
  }
  if (found.enum !== undefined) return found.enum.map((value) => `\`${value}\``).join(", ");
  if (found.anyOf !== undefined) return found.anyOf.map((each) => kind(each, whole)).join("; or ");
  const types = [found.type ?? []].flat().map((type) => {
    if (type === "array" && found.items !== undefined) return `list of ${kind(found.items, whole)}`;
    if (type === "object" && found.additionalProperties)
      return `object: name → ${kind(found.additionalProperties, whole)}`;
    return type;
  });
  return types.join(" or ");
}

function follow(schema: Schema, whole: Schema): Schema {
  const name = schema.$ref?.replace("#/$defs/", "");
  const found = name === undefined ? schema : whole.$defs?.[name];
  if (found === undefined) throw new Error(`The schema has no ${schema.$ref}.`);
  return found;
}
