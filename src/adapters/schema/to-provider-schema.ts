import type { JsonObject } from "../../index.ts";
import { toAnthropicSchema } from "./anthropic-schema.ts";
import { toGeminiSchema } from "./gemini-schema.ts";
import { toOpenAiSchema } from "./openai-schema.ts";
import type { ProviderSchema, SchemaRules } from "./provider-schema.ts";
import { toStrictSchema } from "./strict-schema.ts";

/** Converts a schema for a provider. If strict mode is not possible, uses OpenAI's normal rules. */
export function toProviderSchema(schema: JsonObject, rules: SchemaRules): ProviderSchema {
  switch (rules) {
    case "any":
      return { schema, restore: identity };
    case "openai":
      return { schema: toOpenAiSchema(schema), restore: identity };
    case "openai-strict":
      return toStrictSchema(schema) ?? { schema: toOpenAiSchema(schema), restore: identity };
    case "anthropic":
      return toAnthropicSchema(schema);
    case "gemini":
      return { schema: toGeminiSchema(schema), restore: identity };
  }
}

const identity = (args: JsonObject): JsonObject => args;
