import {
  type FunctionContext,
  type FunctionTool,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  messageOf,
  type StandardIssue,
} from "../../model/index.ts";
import { isStandardSchema } from "./function-schema.ts";

/** Runs a function of the program. Returns its result, or its error, in the format of a server's response. */
export async function runFunction(
  name: string,
  tool: FunctionTool,
  args: JsonObject,
  context: FunctionContext,
): Promise<JsonObject> {
  try {
    const parsed = await parseArguments(tool, args);
    if (parsed.issues !== undefined)
      return failed(`Invalid arguments for "${name}": ${parsed.issues.map(describeIssue).join("; ")}.`);
    const result = await tool.execute(parsed.value, context);
    return toResponse(isAsyncIterable(result) ? await lastOf(result, context) : result);
  } catch (error) {
    return failed(messageOf(error));
  }
}

async function parseArguments(
  { inputSchema }: FunctionTool,
  args: JsonObject,
): Promise<{ value: unknown; issues?: undefined } | { issues: readonly StandardIssue[] }> {
  const copy: unknown = JSON.parse(JSON.stringify(args)); // the function may change its arguments
  return isStandardSchema(inputSchema) ? inputSchema["~standard"].validate(copy) : { value: copy };
}

function describeIssue({ message, path = [] }: StandardIssue): string {
  const keys = path.map((step) => String(typeof step === "object" ? step.key : step));
  return keys.length === 0 ? message : `${keys.join(".")}: ${message}`;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/**
 * Returns the value that an async generator returns, or else the last one that it yields, as the AI SDK does. Reports the yielded values
 * as progress. Stops the generator when the call is cancelled.
 */
async function lastOf(
  values: AsyncIterable<unknown>,
  { signal, onProgress }: FunctionContext,
): Promise<unknown> {
  const iterator = values[Symbol.asyncIterator]();
  let last: unknown;
  for (let progress = 1; ; progress += 1) {
    const { done = false, value } = await iterator.next();
    if (done) return value === undefined ? last : value;
    if (signal.aborted) {
      await iterator.return?.();
      return last;
    }
    last = value;
    onProgress({ progress, message: typeof value === "string" ? value : toJson(value) });
  }
}

function toResponse(value: unknown): JsonObject {
  if (value === undefined) return { content: [] };
  if (typeof value === "string") return { content: [{ type: "text", text: value }] };
  const text = toJson(value);
  const copy: JsonValue = JSON.parse(text);
  const isResponse = isJsonObject(copy) && Array.isArray(copy["content"]);
  return isResponse ? copy : { content: [{ type: "text", text }], structuredContent: copy };
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null"; // a function or symbol has no JSON
  } catch (error) {
    throw new Error(`The result is not valid JSON: ${messageOf(error)}`, { cause: error });
  }
}

function failed(text: string): JsonObject {
  return { content: [{ type: "text", text }], isError: true };
}
