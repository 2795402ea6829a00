import { isJsonObject, isList, type JsonObject, type JsonValue } from "../../model/index.ts";

/** The parameter that `Mcp-Name` repeats, by method. */
const NAME_SOURCE: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

/** Returns the headers of the 2026-07-28 revision that allow routing a request without reading its body. */
export function routingHeaders(method: string, params: JsonObject): Record<string, string> {
  const source = Object.hasOwn(NAME_SOURCE, method) ? NAME_SOURCE[method] : undefined;
  const name = source === undefined ? undefined : params[source];
  return {
    "mcp-method": method,
    ...(typeof name === "string" && { "mcp-name": encodeHeaderValue(name) }),
  };
}

/** An argument that is repeated in a header. */
export interface HeaderParameter {
  readonly path: readonly string[];
  readonly header: string;
}

export type HeaderParameters =
  | { readonly parameters: readonly HeaderParameter[] }
  | { readonly wrong: string };

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Keywords whose value is a schema or a list of schemas. */
const SCHEMAS =
  "items prefixItems contains additionalProperties unevaluatedProperties unevaluatedItems propertyNames oneOf anyOf allOf not if then else".split(
    " ",
  );
/** Keywords whose value is an object of named schemas. */
const MAPS = "patternProperties dependentSchemas $defs definitions".split(" ");

/** Reads the `x-mcp-header` marks in a tool's schema. A tool with invalid marks must not be offered. */
export function headerParameters(schema: JsonObject): HeaderParameters {
  const parameters: HeaderParameter[] = [];
  const seen = new Set<string>();
  const visit = (
    node: JsonValue | undefined,
    path: readonly string[],
    reachable: boolean,
    depth: number,
  ): string | undefined => {
    if (!isJsonObject(node) || depth > 32) return undefined;
    const mark = node["x-mcp-header"];
    if (mark !== undefined) {
      const wrong = checkMark(mark, node["type"], reachable && path.length > 0, seen);
      if (wrong !== undefined) return `${path.join(".") || "(top)"}: ${wrong}`;
      seen.add(String(mark).toLowerCase());
      parameters.push({ path, header: String(mark) });
    }
    for (const [name, child] of Object.entries(isJsonObject(node["properties"]) ? node["properties"] : {})) {
      const wrong = visit(child, [...path, name], reachable, depth + 1);
      if (wrong !== undefined) return wrong;
    }
    // Each schema is visited once, so that the work is proportional to the size of the definition.
    for (const [keyword, branch] of branchesOf(node)) {
      const wrong = visit(branch, [...path, keyword], false, depth + 1);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };
  const wrong = visit(schema, [], true, 0);
  return wrong === undefined ? { parameters } : { wrong };
}

function checkMark(
  mark: JsonValue,
  type: JsonValue | undefined,
  reachable: boolean,
  seen: ReadonlySet<string>,
): string | undefined {
  if (!reachable)
    return "x-mcp-header is only allowed on properties, not inside items, oneOf or similar keywords";
  if (typeof mark !== "string" || !TOKEN.test(mark)) return "x-mcp-header must be a header name";
  if (type !== "string" && type !== "integer" && type !== "boolean")
    return "x-mcp-header needs a string, integer or boolean";
  return seen.has(mark.toLowerCase()) ? `x-mcp-header "${mark}" is used twice` : undefined;
}

/** Returns the subschemas of a node other than its properties, each with its keyword. */
function branchesOf(node: JsonObject): (readonly [keyword: string, schema: JsonValue])[] {
  const valuesOf = (value: JsonValue | undefined): readonly JsonValue[] =>
    isJsonObject(value) ? Object.values(value) : [];
  const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
    isList(value) ? value : [value ?? null];
  return [
    ...SCHEMAS.flatMap((keyword) => listOf(node[keyword]).map((schema) => [keyword, schema] as const)),
    ...MAPS.flatMap((keyword) => valuesOf(node[keyword]).map((schema) => [keyword, schema] as const)),
  ];
}

/** Returns the `Mcp-Param-*` headers of one call. */
export function parameterHeaders(
  parameters: readonly HeaderParameter[],
  args: JsonObject,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, header } of parameters) {
    let value: JsonValue | undefined = args;
    for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    const isSafe = typeof value === "number" ? Number.isSafeInteger(value) || !Number.isInteger(value) : true;
    if ((typeof value === "string" || typeof value === "number" || typeof value === "boolean") && isSafe) {
      headers[`mcp-param-${header.toLowerCase()}`] = encodeHeaderValue(String(value));
    }
  }
  return headers;
}

/** Returns the text as it is if a header can contain it, otherwise in the `=?base64?…?=` form. */
export function encodeHeaderValue(text: string): string {
  const isPlain = /^[\t\x20-\x7e]+$/.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}
