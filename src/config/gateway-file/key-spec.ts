/** What a key of `gateway.jsonc` can be. The reader, the environment variables and the JSON Schema are derived from this. */
export type KeySpec = { readonly summary: string } & (
  | {
      readonly type: "text";
      /** Whether `${env:NAME}` and `{file:path}` are replaced. */
      readonly isReference?: boolean;
      readonly pattern?: string;
      /** What the pattern means, for people. */
      readonly must?: string;
    }
  | { readonly type: "flag" }
  | { readonly type: "number"; readonly least: number; readonly most: number }
  | { readonly type: "texts"; readonly pattern?: string; readonly must?: string }
  | { readonly type: "choice"; readonly values: readonly string[] }
  | {
      readonly type: "object";
      readonly members: Readonly<Record<string, KeySpec>>;
      readonly required?: readonly string[];
      /** The member that a text stands for. */
      readonly short?: string;
    }
  /** A list of objects. One object can be written without the list. */
  | { readonly type: "list"; readonly item: KeySpec }
  /** An object with any keys, whose values have one kind. */
  | { readonly type: "map"; readonly item: KeySpec }
  /** Read elsewhere. */
  | { readonly type: "any"; readonly form: "object" | "list" }
);

const PREFIX = "PLUGBOARD_GATEWAY_";

/** Returns the environment variable that replaces the key at a path. */
export function variableOf(path: readonly string[]): string {
  const words = path.map((name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase());
  return PREFIX + words.join("_");
}

/** Returns the paths of all keys that have an environment variable. Members of lists and maps have none of their own. */
export function pathsOf(spec: KeySpec, path: readonly string[] = []): readonly (readonly string[])[] {
  const own = path.length === 0 ? [] : [path];
  const inner = spec.type === "list" ? spec.item : spec;
  if (inner.type !== "object") return own;
  return [
    ...own,
    ...Object.entries(inner.members).flatMap(([name, member]) => pathsOf(member, [...path, name])),
  ];
}

/** Returns the JSON Schema of a key. */
export function schemaOf(spec: KeySpec): object {
  return { description: spec.summary, ...shapeOf(spec) };
}

function shapeOf(spec: KeySpec): object {
  switch (spec.type) {
    case "text":
      return { type: "string", ...(spec.pattern !== undefined && { pattern: spec.pattern }) };
    case "flag":
      return { type: "boolean" };
    case "number":
      return { type: "number", minimum: spec.least, maximum: spec.most };
    case "texts":
      return {
        type: "array",
        items: { type: "string", ...(spec.pattern !== undefined && { pattern: spec.pattern }) },
      };
    case "choice":
      return { enum: spec.values };
    case "any":
      return { type: spec.form === "list" ? "array" : "object" };
    case "map":
      return { type: "object", additionalProperties: schemaOf(spec.item) };
    case "list":
      return { anyOf: [shapeOf(spec.item), { type: "array", items: shapeOf(spec.item) }] };
    case "object": {
      const { members, required = [], short } = spec;
      const properties = Object.fromEntries(
        Object.entries(members).map(([name, member]) => [name, schemaOf(member)]),
      );
      const object = {
        type: "object",
        properties,
        ...(required.length > 0 && { required }),
        additionalProperties: false,
      };
      return short === undefined ? object : { anyOf: [{ type: "string" }, object] };
    }
  }
}
