import type { JsonObject } from "../../index.ts";

/** A schema as a provider takes it, and the way back for the arguments its model gives. */
export interface ProviderSchema {
  readonly schema: JsonObject;
  /** Does it follow the rules of OpenAI's strict mode? */
  readonly strict?: boolean;
  restore(args: JsonObject): JsonObject;
}

/** Whose rules a schema is made to follow. `any` leaves it as the server wrote it. */
export type SchemaRules = "any" | "openai" | "openai-strict" | "anthropic" | "gemini";
