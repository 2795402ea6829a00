import { bindTools } from "../bound-tools.ts";
import { dataUrl, isImage, type Media, mediaOf } from "../model-content.ts";
import type { ToolSource } from "../tool-source.ts";
import { type OpenAiOptions, rulesOf } from "./openai-options.ts";

/** A tool definition for the Responses API. */
export interface ResponsesTool {
  /** The type of the tool. */
  type: "function";
  /** The name that the model uses. */
  name: string;
  /** What the tool does, for the model. */
  description: string;
  /** The JSON Schema of the arguments. */
  parameters: Record<string, unknown>;
  /** Whether the API enforces the schema. */
  strict: boolean;
}

type OutputContent =
  | { type: "input_text"; text: string }
  | { type: "input_image"; image_url: string; detail: "auto" }
  | { type: "input_file"; filename: string; file_data: string };

/** The result of a call, for the `input` of the next request. */
export interface ResponsesOutput {
  /** The type of the item. */
  type: "function_call_output";
  /** The id of the call. */
  call_id: string;
  /** The result. */
  output: string | OutputContent[];
}

/** Tools for the Responses API. */
export interface ResponsesTools {
  /** Returns the current tools, for the `tools` of the next request. */
  definitions(): Promise<ResponsesTool[]>;
  /** Makes all calls in a response's `output`. Rejects only if aborted. */
  run(
    output: readonly { readonly type: string }[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<ResponsesOutput[]>;
}

interface FunctionCall {
  readonly type: "function_call";
  readonly name: string;
  readonly arguments: string;
  readonly call_id: string;
}

/** Converts the tools of a session or a list for OpenAI's Responses API. */
export function responsesTools(source: ToolSource, options: OpenAiOptions = {}): ResponsesTools {
  const bound = bindTools(source, rulesOf(options));
  return {
    async definitions() {
      return (await bound.read()).map(({ tool, schema, strict }) => ({
        type: "function",
        name: tool.name,
        description: tool.description,
        parameters: { ...schema },
        strict,
      }));
    },
    run: (output, { signal } = {}) =>
      Promise.all(
        output.filter(isCall).map(async (call): Promise<ResponsesOutput> => {
          const { name, arguments: args, call_id: id } = call;
          const answer = await bound.call({ name, args, id }, { ...options, signal });
          const media = mediaOf(answer, options.accepts).map(toContent);
          const text = { type: "input_text" as const, text: answer.text };
          return {
            type: "function_call_output",
            call_id: id,
            output: media.length === 0 ? answer.text : [text, ...media],
          };
        }),
      ),
  };
}

function isCall(item: { readonly type: string }): item is FunctionCall {
  return item.type === "function_call";
}

function toContent(media: Media): OutputContent {
  if (isImage(media)) return { type: "input_image", image_url: dataUrl(media), detail: "auto" };
  return { type: "input_file", filename: media.filename, file_data: dataUrl(media) };
}
