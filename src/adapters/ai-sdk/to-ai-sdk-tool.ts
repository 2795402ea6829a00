import type { AgentTool, JsonObject, ToolProgress } from "../../index.ts";
import type { AdapterOptions } from "../adapter-options.ts";
import { type BoundTool, makeCall, needsApproval } from "../make-call.ts";
import type { ProviderSchema, SchemaRules } from "../schema/provider-schema.ts";
import { toProviderSchema } from "../schema/to-provider-schema.ts";
import type { AiSdkOutput } from "./ai-sdk-output.ts";
import { type AiSdkVersion, type ModelOutput, toModelOutput } from "./model-output.ts";
import { withProgress } from "./with-progress.ts";

/** Options for `aiSdkTools`. */
export interface AiSdkToolOptions extends AdapterOptions {
  /** The provider whose rules the schemas follow. Default: `"any"`, which leaves schemas as the servers wrote them. */
  readonly schemas?: SchemaRules;
  /**
   * The major version of `ai`, which decides the format of media. Default: the version that made the call. Results of an earlier process
   * use a format that both versions accept, but `ai` 7 warns about it.
   */
  readonly version?: AiSdkVersion;
  /** `true` makes `execute` yield progress before the result. Set it only if the SDK iterates over outputs. Default: `false`. */
  readonly streamProgress?: boolean;
  /** `true`, or a function that returns `true`, hides tools from the model until `toolSearch` finds them. Default: `false`. */
  readonly deferLoading?: boolean | ((tool: AgentTool) => boolean);
}

/** The part of the SDK's options for a call that a tool uses. */
interface ExecuteOptions {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/** A tool for the AI SDK. */
export interface AiSdkTool {
  /** Marks a tool whose types are only known at run time. */
  readonly type: "dynamic";
  /** The tool's display name. */
  readonly title: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** The schema of the arguments. */
  readonly inputSchema: StandardJsonSchema;
  /** `true` if the model does not see the tool until `toolSearch` finds it. */
  readonly deferLoading?: boolean;
  /** Returns whether the SDK must ask a person before this call. */
  needsApproval(input: unknown, options?: { readonly toolCallId: string }): Promise<boolean>;
  /** Calls the tool. Resolves with the result or, with `streamProgress`, yields progress and then the result. */
  execute(input: unknown, options: ExecuteOptions): Promise<AiSdkOutput> | AsyncIterable<AiSdkOutput>;
  /** Converts an output for the model. */
  toModelOutput(options: { readonly output: unknown }): ModelOutput;
}

/** The Standard Schema interface, which schema libraries share. */
export interface StandardJsonSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    /** `never` is assignable to the input type in every version of the SDK. */
    readonly validate: (value: unknown) => { readonly value: never };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

export function toAiSdkTool(tool: AgentTool, options: AiSdkToolOptions): AiSdkTool {
  const { decide, onProgress, schemas = "any", streamProgress = false, deferLoading = false } = options;
  // Converted on demand, because a list can have ten thousand tools.
  let converted: ProviderSchema | undefined;
  const convert = (): ProviderSchema => (converted ??= toProviderSchema(tool.inputSchema, schemas));
  let inputSchema: StandardJsonSchema | undefined;
  const isDeferred = typeof deferLoading === "function" ? deferLoading(tool) : deferLoading;
  const bound: BoundTool = { tool, restore: (args) => convert().restore(args) };
  /** The version of `ai` that made the call with this output. */
  const callers = new WeakMap<object, AiSdkVersion>();
  const call = async (
    args: unknown,
    context: ExecuteOptions,
    report?: (progress: ToolProgress) => void,
  ): Promise<AiSdkOutput> => {
    const output = await makeCall(
      bound,
      { name: tool.name, args, id: context.toolCallId },
      {
        ...(decide && { decide }),
        signal: context.abortSignal,
        asks: true,
        onProgress(wanted, progress) {
          onProgress?.(wanted, progress);
          report?.(progress);
        },
      },
    );
    const caller = versionOf(context);
    if (caller !== undefined) callers.set(output, caller);
    return output;
  };
  return {
    type: "dynamic",
    title: tool.title,
    description: tool.description,
    get inputSchema() {
      return (inputSchema ??= toSchema(convert().schema));
    },
    ...(isDeferred && { deferLoading: true }),
    needsApproval: (args, context) =>
      needsApproval(bound, { args, ...(context && { id: context.toolCallId }) }, decide),
    execute: (args, context) =>
      streamProgress ? withProgress((report) => call(args, context, report)) : call(args, context),
    toModelOutput({ output }) {
      const caller = typeof output === "object" && output !== null ? callers.get(output) : undefined;
      return toModelOutput(output, { version: options.version ?? caller, accepts: options.accepts });
    },
  };
}

/** Recognizes the version of `ai` by the name of the program's own context among the options of a call. */
function versionOf(options: ExecuteOptions): AiSdkVersion | undefined {
  if ("experimental_context" in options) return 6;
  return "context" in options ? 7 : undefined;
}

/** Creates a schema that the AI SDK recognizes as its own at run time. Its type is that of Standard Schema libraries. */
function toSchema(schema: JsonObject): StandardJsonSchema {
  const own = { [Symbol.for("vercel.ai.schema")]: true, jsonSchema: schema, validate: undefined };
  const copy = (): Record<string, unknown> => ({ ...schema });
  return Object.assign(own, {
    "~standard": {
      version: 1,
      vendor: "plugboard",
      validate: (value: unknown) => ({ value: value as never }), // the host checks the arguments of every call
      jsonSchema: { input: copy, output: copy },
    },
  } as const);
}
