import type { JsonObject } from "../../index.ts";
import { toAnthropicSchema } from "./anthropic-schema.ts";
import { toGeminiSchema } from "./gemini-schema.ts";
import { toOpenAiSchema } from "./openai-schema.ts";
import type { ProviderSchema, SchemaRules } from "./provider-schema.ts";
import { toStrictSchema } from "./strict-schema.ts";

/** A schema that cannot be said strictly is given in the plain way. */
export function toProviderSchema(schema: JsonObject, rules: SchemaRules): ProviderSchema {
  switch (rules) {
    case "any":
      return { schema, restore: asIs };
    case "openai":
      return { schema: toOpenAiSchema(schema), restore: asIs };
    case "openai-strict":
      return toStrictSchema(schema) ?? { schema: toOpenAiSchema(schema), restore: asIs };
    case "anthropic":
      return toAnthropicSchema(schema);
    case "gemini":
      return { schema: toGeminiSchema(schema), restore: asIs };
  }
}

const asIs = (args: JsonObject): JsonObject => args;
