import {
  isJsonObject,
  isList,
  itemsOf,
  type JsonObject,
  type JsonValue,
  type PromptDefinition,
  type ResourceDefinition,
  type ResourceTemplateDefinition,
  SCHEMA_OMITTED,
  type ToolAnnotations,
  type ToolAudience,
  type ToolDefinition,
} from "../model/index.ts";
import { jsonWeight, SCHEMA_LIMITS, type WeightLimits } from "../platform/index.ts";

/** A parsed item and its weight, or why it cannot be used. */
export type ParsedItem<T> = { readonly item: T; readonly weight: number } | { readonly wrong: string };

/** Names longer than this are an attack or a mistake. */
const LONGEST_NAME = 1024;
/** Longer texts are truncated. Models get much shorter ones. */
const LONGEST_TEXT = 64 * 1024;
const MOST_ARGUMENTS = 1_000;
/** The weight of each item in addition to its parts. */
const ITEM = 64;
const WITHOUT_SCHEMA: JsonObject = { type: "object", properties: {}, [SCHEMA_OMITTED]: "too large" };

export function parseTool(value: unknown): ParsedItem<ToolDefinition> {
  if (!isJsonObject(value)) return { wrong: "it is not an object" };
  const name = value["name"];
  if (!isName(name)) return { wrong: "it has no usable name" };
  const inputSchema = value["inputSchema"] ?? { type: "object", properties: {} };
  if (!isJsonObject(inputSchema)) return { wrong: `"${name}" has an inputSchema that is not an object` };
  const outputSchema = value["outputSchema"];
  const weights = [inputSchema, outputSchema].map((schema) => jsonWeight(schema, SCHEMA_LIMITS));
  if (weights.includes("deep")) return { wrong: `"${name}" has a schema that is nested too deeply` };
  const isTooLarge = weights.includes("heavy");
  const annotations = value["annotations"];
  const about = {
    name,
    ...text(value, "title"),
    ...text(value, "description"),
    ...(isJsonObject(annotations) && { annotations: parseAnnotations(annotations) }),
    ...parseVisibility(value["_meta"]),
  };
  const schemas = {
    inputSchema: isTooLarge ? WITHOUT_SCHEMA : inputSchema,
    ...(isJsonObject(outputSchema) && !isTooLarge && { outputSchema }),
  };
  const weight = weights.reduce<number>((sum, one) => sum + (typeof one === "number" ? one : 0), 0);
  return { item: { ...about, ...schemas }, weight: weightOf(about) + weight };
}

/** No limits, because every part already has one. */
const NO_LIMITS: WeightLimits = { depth: 8, weight: Number.MAX_SAFE_INTEGER };

function weightOf(item: object): number {
  return ITEM + Number(jsonWeight(item, NO_LIMITS));
}

function withWeight<T extends object>(item: T): ParsedItem<T> {
  return { item, weight: weightOf(item) };
}

export function parseResource(value: unknown): ParsedItem<ResourceDefinition> {
  if (!isJsonObject(value)) return { wrong: "it is not an object" };
  const { uri, name } = value;
  if (!isName(uri)) return { wrong: "it has no usable uri" };
  return withWeight({
    uri,
    name: isName(name) ? name : uri,
    ...text(value, "title"),
    ...text(value, "description"),
    ...text(value, "mimeType"),
  });
}

export function parseResourceTemplate(value: unknown): ParsedItem<ResourceTemplateDefinition> {
  if (!isJsonObject(value)) return { wrong: "it is not an object" };
  const { uriTemplate, name } = value;
  if (!isName(uriTemplate)) return { wrong: "it has no usable uriTemplate" };
  return withWeight({
    uriTemplate,
    name: isName(name) ? name : uriTemplate,
    ...text(value, "title"),
    ...text(value, "description"),
    ...text(value, "mimeType"),
  });
}

export function parsePrompt(value: unknown): ParsedItem<PromptDefinition> {
  if (!isJsonObject(value)) return { wrong: "it is not an object" };
  const { name } = value;
  if (!isName(name)) return { wrong: "it has no usable name" };
  const given = itemsOf(value["arguments"]);
  const known = given
    .slice(0, MOST_ARGUMENTS)
    .filter(isJsonObject)
    .flatMap((argument) => {
      const { name: argumentName, required } = argument;
      if (!isName(argumentName)) return [];
      return [{ name: argumentName, ...text(argument, "description"), required: required === true }];
    });
  return withWeight({ name, ...text(value, "title"), ...text(value, "description"), arguments: known });
}

/** Returns whether a cached value is a tool definition. A quick check suffices, because definitions are validated before caching. */
export function isToolDefinition(value: unknown): value is ToolDefinition {
  if (!isJsonObject(value)) return false;
  const { name, title, description, inputSchema, outputSchema, annotations, visibility } = value;
  return (
    isName(name) &&
    isJsonObject(inputSchema) &&
    (title === undefined || typeof title === "string") &&
    (description === undefined || typeof description === "string") &&
    (outputSchema === undefined || isJsonObject(outputSchema)) &&
    (annotations === undefined || isJsonObject(annotations)) &&
    (visibility === undefined || isList(visibility))
  );
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

function parseAnnotations(value: JsonObject): ToolAnnotations {
  const hints = HINTS.flatMap((hint) => (typeof value[hint] === "boolean" ? [[hint, value[hint]]] : []));
  return { ...text(value, "title"), ...(Object.fromEntries(hints) as ToolAnnotations) };
}

const AUDIENCES: readonly ToolAudience[] = ["model", "app"];

/** Reads `_meta.ui.visibility`, a list of audiences. Anything else means both. */
function parseVisibility(meta: JsonValue | undefined): Pick<ToolDefinition, "visibility"> {
  const ui = isJsonObject(meta) ? meta["ui"] : undefined;
  const listed = isJsonObject(ui) ? itemsOf(ui["visibility"]) : [];
  return listed.length === 0 ? {} : { visibility: AUDIENCES.filter((each) => listed.includes(each)) };
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= LONGEST_NAME;
}

function text<Key extends string>(value: JsonObject, key: Key): { readonly [K in Key]?: string } {
  const found = value[key];
  return (typeof found === "string" ? { [key]: found.slice(0, LONGEST_TEXT) } : {}) as {
    readonly [K in Key]?: string;
  };
}
