import { isJsonObject, LEFT_OUT, type ToolDefinition } from "../../model/index.ts";
import { inspectSchema } from "./inspect-schema.ts";

/**
 * Why no model should be given this tool: one schema that a model's provider refuses, or that takes too long to check, would
 * cost the agent all the others.
 */
export function quarantineReason({ inputSchema, outputSchema }: ToolDefinition): string | undefined {
  if (Object.hasOwn(inputSchema, LEFT_OUT)) return "its schema is larger than 256 KB";
  const { type } = inputSchema;
  if (type !== undefined && type !== "object") return "its input schema is not one of an object";
  const { trouble } = inspectSchema(inputSchema);
  if (trouble !== undefined) return `its input schema ${trouble}`;
  const output = isJsonObject(outputSchema) ? inspectSchema(outputSchema).trouble : undefined;
  return output === undefined ? undefined : `its output schema ${output}`;
}
