import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type PromptDefinition,
  type ResourceDefinition,
  type ResourceTemplateDefinition,
  type ToolAnnotations,
  type ToolDefinition,
} from "../model/index.ts";

/** A parsed item, or why it cannot be used. */
export type ParsedItem<T> = { readonly item: T } | { readonly wrong: string };

/** Names longer than this are an attack or a mistake. */
const LONGEST_NAME = 1024;
/** So are schemas nested deeper: whoever walks one later must not run out of stack. */
const DEEPEST_SCHEMA = 128;

export function parseTool(value: unknown): ParsedItem<ToolDefinition> {
  if (!isJsonObject(value)) return { wrong: "it is not an object" };
  const name = value["name"];
  if (!isName(name)) return { wrong: "it has no usable name" };
  const inputSchema = value["inputSchema"] ?? { type: "object", properties: {} };
  if (!isJsonObject(inputSchema)) return { wrong: `"${name}" has an inputSchema that is not an object` };
  const outputSchema = value["outputSchema"];
  if ([inputSchema, outputSchema].some((schema) => isDeeperThan(schema, DEEPEST_SCHEMA))) {
    return { wrong: `"${name}" has a schema that is nested too deeply` };
  }
  const annotations = value["annotations"];
  return {
    item: {
      name,
      ...text(value, "title"),
      ...text(value, "description"),
      inputSchema,
      ...(isJsonObject(outputSchema) && { outputSchema }),
      ...(isJsonObject(annotations) && { annotations: parseAnnotations(annotations) }),
    },
  };
}

export function parseResource(value: unknown): ParsedItem<ResourceDefinition> {
  if (!isJsonObject(value)) return { wrong: "it is not an object" };
  const { uri, name } = value;
  if (!isName(uri)) return { wrong: "it has no usable uri" };
  return {
    item: {
      uri,
      name: isName(name) ? name : uri,
      ...text(value, "title"),
      ...text(value, "description"),
      ...text(value, "mimeType"),
    },
  };
}

export function parseResourceTemplate(value: unknown): ParsedItem<ResourceTemplateDefinition> {
  if (!isJsonObject(value)) return { wrong: "it is not an object" };
  const { uriTemplate, name } = value;
  if (!isName(uriTemplate)) return { wrong: "it has no usable uriTemplate" };
  return {
    item: {
      uriTemplate,
      name: isName(name) ? name : uriTemplate,
      ...text(value, "title"),
      ...text(value, "description"),
      ...text(value, "mimeType"),
    },
  };
}

export function parsePrompt(value: unknown): ParsedItem<PromptDefinition> {
  if (!isJsonObject(value)) return { wrong: "it is not an object" };
  const { name } = value;
  if (!isName(name)) return { wrong: "it has no usable name" };
  const given = Array.isArray(value["arguments"]) ? (value["arguments"] as readonly JsonValue[]) : [];
  return {
    item: {
      name,
      ...text(value, "title"),
      ...text(value, "description"),
      arguments: given.filter(isJsonObject).flatMap((argument) => {
        const { name: argumentName, required } = argument;
        if (!isName(argumentName)) return [];
        return [{ name: argumentName, ...text(argument, "description"), required: required === true }];
      }),
    },
  };
}

/** Was this tool checked before it was written? Cheap, because cached lists are long and are our own. */
export function isToolDefinition(value: unknown): value is ToolDefinition {
  if (!isJsonObject(value)) return false;
  const { name, title, description, inputSchema, outputSchema, annotations } = value;
  return (
    isName(name) &&
    isJsonObject(inputSchema) &&
    (title === undefined || typeof title === "string") &&
    (description === undefined || typeof description === "string") &&
    (outputSchema === undefined || isJsonObject(outputSchema)) &&
    (annotations === undefined || isJsonObject(annotations))
  );
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

function parseAnnotations(value: JsonObject): ToolAnnotations {
  const hints = HINTS.flatMap((hint) => (typeof value[hint] === "boolean" ? [[hint, value[hint]]] : []));
  return { ...text(value, "title"), ...(Object.fromEntries(hints) as ToolAnnotations) };
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= LONGEST_NAME;
}

function text<Key extends string>(value: JsonObject, key: Key): { readonly [K in Key]?: string } {
  const found = value[key];
  return (typeof found === "string" ? { [key]: found } : {}) as { readonly [K in Key]?: string };
}
