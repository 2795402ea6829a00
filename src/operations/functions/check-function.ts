import { CALL_ANSWERS, type FunctionTool, HostError, isJsonObject } from "../../model/index.ts";
import { allowsObjects, isStandardSchema } from "./function-schema.ts";

/** Throws if a field of a function has the wrong type. Programs without types would otherwise learn it from a model's call. */
export function checkFunction(name: string, tool: FunctionTool): void {
  const problem = problemOf(tool);
  if (problem !== undefined) throw new HostError("USAGE_INVALID", `The tool "${name}" ${problem}.`);
}

function problemOf(tool: unknown): string | undefined {
  if (typeof tool !== "object" || tool === null)
    return "must be an object with description, inputSchema and execute";
  const { description, execute, inputSchema, title, approval } = tool as Partial<
    Record<keyof FunctionTool, unknown>
  >;
  if (typeof execute !== "function") return "has no function execute";
  if (typeof description !== "string") return "has no description";
  if (title !== undefined && typeof title !== "string") return "has a title that is not a string";
  if (approval !== undefined && !CALL_ANSWERS.some((answer) => answer === approval))
    return `has an unknown approval; use ${CALL_ANSWERS.join(", ")}`;
  if (isLibrarySchema(inputSchema)) return undefined;
  if (!isJsonObject(inputSchema)) return "has no inputSchema";
  return allowsObjects(inputSchema) ? undefined : 'has an inputSchema whose type is not "object"';
}

/** ArkType's schemas are functions. */
function isLibrarySchema(value: unknown): boolean {
  const canHaveMembers = typeof value === "function" || (typeof value === "object" && value !== null);
  return canHaveMembers && isStandardSchema(value as FunctionTool["inputSchema"]);
}
