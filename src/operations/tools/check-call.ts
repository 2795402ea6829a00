import { checkArguments, checkOutput, describeParameters, patternsFor } from "../../bridge/index.ts";
import { HostError, type JsonObject, type ToolDefinition, type ToolResult } from "../../model/index.ts";

/** Refuses arguments that the tool's own schema refuses, in words that a model can correct itself from. */
export async function checkCall(
  { name, inputSchema }: ToolDefinition,
  args: JsonObject,
  server: string,
): Promise<void> {
  const complaints = checkArguments(args, inputSchema, await patternsFor(inputSchema));
  if (complaints.length === 0) return;
  const message = `Wrong arguments for "${name}": ${complaints.join("; ")}.`;
  throw new HostError("TOOL_ARGUMENTS_INVALID", message, { server, hint: describeParameters(inputSchema) });
}

/** Is there nothing to say against the arguments? Where that cannot be told at once, there may be. */
export function isAcceptable({ inputSchema }: ToolDefinition, args: JsonObject): boolean {
  return patternsFor(inputSchema) === undefined && checkArguments(args, inputSchema).length === 0;
}

/** How an answer differs from what the tool promised, if it does. */
export async function checkAnswer(
  { outputSchema }: ToolDefinition,
  { structured, isError }: ToolResult,
): Promise<string | undefined> {
  if (outputSchema === undefined || isError) return undefined;
  if (structured === undefined) return "the answer has no structured content, which the tool promises";
  const complaints = checkOutput(structured, outputSchema, await patternsFor(outputSchema));
  return complaints.length === 0
    ? undefined
    : `the answer is not what the tool promises: ${complaints.join("; ")}`;
}
