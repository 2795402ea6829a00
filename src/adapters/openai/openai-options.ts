import type { AdapterOptions } from "../adapter-options.ts";
import type { SchemaRules } from "../schema/provider-schema.ts";

export interface OpenAiOptions extends AdapterOptions {
  /** Have the model held to the schemas, where a schema can be said so; the other tools stay as they are. */
  readonly strict?: boolean;
}

export function rulesOf({ strict = false }: OpenAiOptions): SchemaRules {
  return strict ? "openai-strict" : "openai";
}
