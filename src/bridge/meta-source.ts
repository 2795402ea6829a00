import { type AgentTool, type JsonObject, truncate } from "../model/index.ts";

const SCHEMA_CHARS = 64_000;

/** The source of the tools that the meta tools search and call. */
export interface MetaSource {
  tools(): readonly AgentTool[];
}

/** Limits a number that a model passes to the range from 1 to `most`. */
export function within(value: unknown, otherwise: number, most: number): number {
  return typeof value === "number" ? Math.min(most, Math.max(1, Math.floor(value))) : otherwise;
}

/** Shortens a schema that is too long for a model. */
export function capped(schema: JsonObject): JsonObject {
  const text = JSON.stringify(schema);
  return text.length <= SCHEMA_CHARS
    ? schema
    : { note: "truncated", jsonPreview: truncate(text, SCHEMA_CHARS) };
}
