/** The rules of each provider for tool schemas, independent of the code under test. */

type Schema = Readonly<Record<string, unknown>>;

/** Returns why a provider would reject a schema. */
type Refusals = (schema: Schema) => string[];

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Yields every schema within a schema, with its path. */
function* within(schema: Schema, place = "#"): Generator<readonly [string, Schema]> {
  yield [place, schema];
  for (const map of ["properties", "patternProperties", "$defs", "definitions"]) {
    const members = schema[map];
    if (!isSchema(members)) continue;
    for (const [name, inner] of Object.entries(members))
      if (isSchema(inner)) yield* within(inner, `${place}/${map}/${name}`);
  }
  for (const key of ["items", "additionalProperties", "not"]) {
    const inner = schema[key];
    if (isSchema(inner)) yield* within(inner, `${place}/${key}`);
  }
  for (const key of ["anyOf", "oneOf", "allOf", "prefixItems"]) {
    const list = schema[key];
    if (!Array.isArray(list)) continue;
    for (const [index, inner] of list.entries())
      if (isSchema(inner)) yield* within(inner, `${place}/${key}/${index}`);
  }
}

const refusalsOf =
  (check: (schema: Schema, place: string) => readonly string[]): Refusals =>
  (schema) =>
    [...within(schema)].flatMap(([place, inner]) => check(inner, place).map((wrong) => `${place}: ${wrong}`));

const TOP_LEVEL = ["anyOf", "oneOf", "allOf", "enum", "not"];

function topLevel(schema: Schema, place: string): string[] {
  if (place !== "#") return [];
  return [
    ...(schema["type"] === "object" ? [] : ["the top must be an object"]),
    ...TOP_LEVEL.filter((key) => key in schema).map((key) => `${key} at the top`),
  ];
}

const GEMINI_KEYS = new Set([
  "type",
  "format",
  "description",
  "nullable",
  "enum",
  "properties",
  "required",
  "items",
  "anyOf",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
]);

export const geminiRefusals: Refusals = refusalsOf((schema, place) => {
  const { type, enum: values, anyOf, required, properties, items, format } = schema;
  return [
    ...Object.keys(schema)
      .filter((key) => !GEMINI_KEYS.has(key))
      .map((key) => `Unknown name "${key}"`),
    ...(anyOf === undefined && typeof type !== "string" ? ["type is missing"] : []),
    ...(anyOf !== undefined && Object.keys(schema).length > 1 ? ["any_of must be the only field"] : []),
    ...(Array.isArray(values) &&
    (type !== "string" || values.some((each) => typeof each !== "string" || each === ""))
      ? ["enum only of texts"]
      : []),
    ...(type === "array" && !isSchema(items) ? ["items: missing field"] : []),
    ...(isSchema(properties) && Object.keys(properties).length === 0
      ? ["properties: should be non-empty"]
      : []),
    ...(Array.isArray(required) &&
    required.some((name) => !isSchema(properties) || !((name as string) in properties))
      ? ["required: property is not defined"]
      : []),
    ...(type === "string" && format !== undefined && format !== "date-time" && format !== "enum"
      ? ["only 'enum' and 'date-time' are supported for STRING type"]
      : []),
    ...(place === "#" && type !== "object" ? ["the top must be an object"] : []),
  ];
});

export const openAiRefusals: Refusals = refusalsOf((schema, place) => [
  ...topLevel(schema, place),
  ...(schema["type"] === "array" && schema["items"] === undefined ? ["array schema missing items"] : []),
  ...(schema["type"] === "object" && !isSchema(schema["properties"])
    ? ["object schema missing properties"]
    : []),
]);

const STRICT_KEYS = new Set([
  "type",
  "enum",
  "const",
  "description",
  "title",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "$ref",
  "$defs",
  "definitions",
  "pattern",
  "format",
  "multipleOf",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
]);

export const strictRefusals: Refusals = refusalsOf((schema, place) => {
  const { type, properties, required } = schema;
  const isObject = type === "object" || (Array.isArray(type) && type.includes("object"));
  const names = isSchema(properties) ? Object.keys(properties) : [];
  return [
    ...topLevel(schema, place),
    ...Object.keys(schema)
      .filter((key) => !STRICT_KEYS.has(key))
      .map((key) => `${key} is not permitted`),
    ...(isObject && schema["additionalProperties"] !== false ? ["additionalProperties must be false"] : []),
    ...(isObject && !names.every((name) => Array.isArray(required) && required.includes(name))
      ? ["required must hold every property"]
      : []),
    ...(["type", "anyOf", "$ref", "enum", "const"].some((key) => key in schema) ? [] : ["type is missing"]),
  ];
});

export const anthropicRefusals: Refusals = refusalsOf((schema, place) => {
  const { properties, items } = schema;
  return [
    ...topLevel(schema, place).filter((wrong) => !/enum|not/.test(wrong)),
    ...(place === "#" && isSchema(properties)
      ? Object.keys(properties)
          .filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name))
          .map((name) => `property keys should match the pattern: ${name}`)
      : []),
    ...(Array.isArray(items) ? ["items is a list in no draft since 2020"] : []),
    ...(typeof schema["exclusiveMinimum"] === "boolean" || typeof schema["exclusiveMaximum"] === "boolean"
      ? ["an exclusive bound is a number"]
      : []),
  ];
});
