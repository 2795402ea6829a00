import type { FromJsonSchema } from "../json/from-json-schema.ts";
import type { JsonObject } from "../json/json-value.ts";
import type { StandardSchema } from "../json/standard-schema.ts";
import type { ToolProgress } from "./agent-tool.ts";
import type { ToolAnnotations } from "./tool-definition.ts";
import type { CallAnswer } from "./tool-rules.ts";

/** The server name of tools that the program itself provides. */
export const PROGRAM_NAME = "program";

/** The schema of a function's arguments: a JSON Schema, or a schema of a library such as Zod, Valibot or ArkType. */
export type FunctionSchema = JsonObject | StandardSchema;

/** The arguments that a schema describes, after the library has parsed them. */
export type FunctionArguments<Schema> = Schema extends {
  readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : FromJsonSchema<Schema, JsonObject>;

/** What a function receives besides its arguments. */
export interface FunctionContext {
  /** Aborted when the caller cancels the call, or the host is closed. */
  readonly signal: AbortSignal;
  /** Reports progress to the caller. */
  onProgress(progress: ToolProgress): void;
}

/** A function of the program that an agent can call like a tool of a server. */
export interface FunctionTool<Schema = FunctionSchema> {
  /** What the function does, for the model. */
  readonly description: string;
  /** The schema of the arguments. The arguments are checked before `execute` runs. */
  readonly inputSchema: Schema;
  /** A title for people. Default: the name. */
  readonly title?: string;
  /** Hints about the function's behavior. `readOnlyHint` matters for `approval: "ask-writes"`. */
  readonly annotations?: ToolAnnotations;
  /** Whether calls require approval. Default: `"allow"`. */
  readonly approval?: CallAnswer;
  /**
   * Runs the function. A text is the result as it is. `{ content }` is a result in MCP's format. Any other value becomes JSON. An async
   * generator reports what it yields as progress; the result is what it returns, or else the last value that it yielded. If the function
   * throws, the model gets the message as an error.
   */
  execute(args: FunctionArguments<Schema>, context: FunctionContext): unknown;
}
