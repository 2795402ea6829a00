import type { AgentTool, JsonObject } from "../../index.ts";
import type { AdapterOptions } from "../adapter-options.ts";
import { type BoundTool, makeCall, needsApproval } from "../make-call.ts";
import { isImage, type Media, mediaOf } from "../model-content.ts";
import type { ProviderSchema, SchemaRules } from "../schema/provider-schema.ts";
import { toProviderSchema } from "../schema/to-provider-schema.ts";
import type { AiSdkOutput } from "./ai-sdk-output.ts";
import { withProgress } from "./with-progress.ts";

/** The major versions of `ai` that are supported. */
export type AiSdkVersion = 6 | 7;

/** Options for `aiSdkTools`. */
export interface AiSdkToolOptions<Version extends AiSdkVersion = AiSdkVersion> extends AdapterOptions {
  /** The provider whose rules the schemas follow. Default: `"any"`, which leaves schemas as the servers wrote them. */
  readonly schemas?: SchemaRules;
  /** The major version of `ai`, which decides the format of media. Default: 7. */
  readonly version?: Version;
  /** `true`, or a function that returns `true`, hides tools from the model until `toolSearch` finds them. Default: `false`. */
  readonly deferLoading?: boolean | ((tool: AgentTool) => boolean);
}

interface FileContent7 {
  readonly type: "file";
  readonly data: { readonly type: "data"; readonly data: string };
  readonly mediaType: string;
  readonly filename: string;
}

type OutputContent<Version extends AiSdkVersion> =
  | (Version extends 7 ? FileContent7 : never)
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image-data"; readonly data: string; readonly mediaType: string }
  | {
      readonly type: "file-data";
      readonly data: string;
      readonly mediaType: string;
      readonly filename: string;
    };

/** A tool's result in the AI SDK's format for the model. */
export type ModelOutput<Version extends AiSdkVersion = AiSdkVersion> =
  | { readonly type: "text" | "error-text"; readonly value: string }
  | { readonly type: "content"; readonly value: OutputContent<Version>[] };

/** A tool for the AI SDK. */
export interface AiSdkTool<Version extends AiSdkVersion = AiSdkVersion> {
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
  needsApproval(input: unknown, options: { readonly toolCallId: string }): Promise<boolean>;
  /** Calls the tool. Yields progress and then the result. */
  execute(
    input: unknown,
    options: { readonly toolCallId: string; readonly abortSignal?: AbortSignal | undefined },
  ): AsyncIterable<AiSdkOutput>;
  /** Converts an output for the model. */
  toModelOutput(options: { readonly output: unknown }): ModelOutput<Version>;
}

/** The Standard Schema interface, which schema libraries share. */
interface StandardJsonSchema {
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

export function toAiSdkTool<Version extends AiSdkVersion>(
  tool: AgentTool,
  options: AiSdkToolOptions<Version>,
): AiSdkTool<Version> {
  const { decide, onProgress, accepts, schemas = "any", version = 7, deferLoading = false } = options;
  // Converted on demand, because a list can have ten thousand tools.
  let converted: ProviderSchema | undefined;
  const convert = (): ProviderSchema => (converted ??= toProviderSchema(tool.inputSchema, schemas));
  let inputSchema: StandardJsonSchema | undefined;
  const isDeferred = typeof deferLoading === "function" ? deferLoading(tool) : deferLoading;
  const bound: BoundTool = { tool, restore: (args) => convert().restore(args) };
  return {
    type: "dynamic",
    title: tool.title,
    description: tool.description,
    get inputSchema() {
      return (inputSchema ??= toSchema(convert().schema));
    },
    ...(isDeferred && { deferLoading: true }),
    needsApproval: (args, { toolCallId }) => needsApproval(bound, { args, id: toolCallId }, decide),
    execute: (args, { toolCallId, abortSignal }) =>
      withProgress((report) =>
        makeCall(
          bound,
          { name: tool.name, args, id: toolCallId },
          {
            ...(decide && { decide }),
            signal: abortSignal,
            asks: true,
            onProgress(call, progress) {
              onProgress?.(call, progress);
              report(progress);
            },
          },
        ),
      ),
    toModelOutput({ output }) {
      if (!isAnswer(output)) return { type: "text", value: asText(output) };
      if (output.isError) return { type: "error-text", value: output.text };
      const media = mediaOf(output, accepts);
      if (media.length === 0) return { type: "text", value: output.text };
      const toContent = (version === 6 ? toContent6 : toContent7) as (media: Media) => OutputContent<Version>;
      return { type: "content", value: [{ type: "text", text: output.text }, ...media.map(toContent)] };
    },
  };
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

function toContent7({ data, mimeType, filename }: Media): OutputContent<7> {
  return { type: "file", data: { type: "data", data }, mediaType: mimeType, filename };
}

function toContent6(media: Media): OutputContent<6> {
  const { data, mimeType, filename } = media;
  if (isImage(media)) return { type: "image-data", data, mediaType: mimeType };
  return { type: "file-data", data, mediaType: mimeType, filename };
}

/** Checks an output, because outputs can also come from stored conversations, which may contain anything. */
function isAnswer(output: unknown): output is AiSdkOutput {
  if (typeof output !== "object" || output === null) return false;
  const { text, parts } = output as { readonly text?: unknown; readonly parts?: unknown };
  return typeof text === "string" && Array.isArray(parts);
}

function asText(output: unknown): string {
  return typeof output === "string" ? output : (JSON.stringify(output) ?? "");
}
