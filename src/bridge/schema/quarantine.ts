import { isJsonObject, SCHEMA_OMITTED, type ToolDefinition } from "../../model/index.ts";
import { inspectSchema } from "./inspect-schema.ts";

/**
 * Returns why a tool must not be passed to a model; `undefined` if it may be. A model provider can reject all tools because of one
 * invalid schema, and a complex schema can take too long to check.
 */
export function quarantineReason({ inputSchema, outputSchema }: ToolDefinition): string | undefined {
  if (Object.hasOwn(inputSchema, SCHEMA_OMITTED)) return "its schema is larger than 256 KB";
  const { type } = inputSchema;
  if (type !== undefined && type !== "object") return "its input schema is not an object schema";
  const { trouble } = inspectSchema(inputSchema);
  if (trouble !== undefined) return `its input schema ${trouble}`;
  const output = isJsonObject(outputSchema) ? inspectSchema(outputSchema).trouble : undefined;
  return output === undefined ? undefined : `its output schema ${output}`;
}
