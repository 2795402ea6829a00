import { bindTools } from "../bound-tools.ts";
import { makeCall } from "../make-call.ts";
import { dataUrl, isImage, type Media, mediaOf } from "../model-content.ts";
import type { ToolSource } from "../tool-source.ts";
import { type OpenAiOptions, rulesOf } from "./openai-options.ts";

export interface ResponsesTool {
  type: "function";
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  strict: boolean;
}

type OutputContent =
  | { type: "input_text"; text: string }
  | { type: "input_image"; image_url: string; detail: "auto" }
  | { type: "input_file"; filename: string; file_data: string };

/** What goes into the `input` of the next request. */
export interface ResponsesOutput {
  type: "function_call_output";
  call_id: string;
  output: string | OutputContent[];
}

export interface ResponsesTools {
  /** `tools` of the next request, as the session has them now. */
  definitions(): Promise<ResponsesTool[]>;
  /** Makes every call in a response's `output`. Rejects only when aborted. */
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

/** The tools of a session, or of a list, for OpenAI's Responses API. */
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
          const answer = await makeCall(
            bound.find(name),
            { name, args, id },
            { ...options, signal, namesLike: bound.namesLike },
          );
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
