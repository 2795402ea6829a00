import type { JsonObject } from "../../index.ts";

/** A schema converted for a provider. */
export interface ProviderSchema {
  readonly schema: JsonObject;
  /** Whether the schema follows the rules of OpenAI's strict mode. */
  readonly strict?: boolean;
  /** Converts the model's arguments back to the original schema. */
  restore(args: JsonObject): JsonObject;
}

/** The provider whose rules a schema must follow. `"any"` leaves it as the server wrote it. */
export type SchemaRules = "any" | "openai" | "openai-strict" | "anthropic" | "gemini";
