import type { AdapterOptions } from "../adapter-options.ts";
import type { SchemaRules } from "../schema/provider-schema.ts";

/** Options for the OpenAI adapters. */
export interface OpenAiOptions extends AdapterOptions {
  /** `true` uses OpenAI's strict mode for each tool whose schema can be converted to it. Default: `false`. */
  readonly strict?: boolean;
}

/** Returns the schema rules for the options. */
export function rulesOf({ strict = false }: OpenAiOptions): SchemaRules {
  return strict ? "openai-strict" : "openai";
}
