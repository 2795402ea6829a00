import type { JsonObject, JsonValue } from "./json-value.ts";

/**
 * The type of the values that a JSON Schema describes. `Otherwise` is used if the schema does not define it in a
 * supported way.
 */
export type FromJsonSchema<Schema, Otherwise = JsonValue> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly anyOf: readonly (infer Choice)[] }
      ? FromJsonSchema<Choice>
      : Schema extends { readonly type: infer Type }
        ? FromType<Type, Schema, Otherwise>
        : Otherwise;

type FromType<Type, Schema, Otherwise> = Type extends readonly (infer Choice)[]
  ? FromType<Choice, Schema, Otherwise>
  : Type extends "string"
    ? string
    : Type extends "number" | "integer"
      ? number
      : Type extends "boolean"
        ? boolean
        : Type extends "null"
          ? null
          : Type extends "array"
            ? Schema extends { readonly items: infer Items }
              ? readonly FromJsonSchema<Items>[]
              : readonly JsonValue[]
            : Type extends "object"
              ? Schema extends { readonly properties: infer Properties }
                ? FromProperties<
                    Properties,
                    Schema extends { readonly required: readonly (infer Name)[] } ? Name : never
                  >
                : JsonObject
              : Otherwise;

type FromProperties<Properties, Required> = {
  readonly [Name in Extract<keyof Properties, Required>]: FromJsonSchema<Properties[Name]>;
} & {
  readonly [Name in Exclude<keyof Properties, Required>]?: FromJsonSchema<Properties[Name]>;
};
