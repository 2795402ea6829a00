import type { SessionToolsOptions } from "../../index.ts";
import type { AdapterOptions } from "../adapter-options.ts";
import { bindTools } from "../bound-tools.ts";
import { type ModelResult, mediaOf } from "../model-content.ts";
import type { ToolSource } from "../tool-source.ts";

/** The tools of a request to Gemini, for `config.tools`. */
export interface GoogleTool {
  /** The tools, each with a JSON Schema of its arguments. */
  functionDeclarations: {
    name: string;
    description: string;
    parametersJsonSchema: Record<string, unknown>;
  }[];
}

/** A call in a response's `functionCalls`. */
export interface GoogleFunctionCall {
  /** The id of the call, if the model sent one. */
  readonly id?: string;
  /** The name of the tool. */
  readonly name?: string;
  /** The arguments. */
  readonly args?: Record<string, unknown>;
}

/** A part with the result of a call, for the next user content. */
export interface GoogleFunctionResponse {
  /** The result: `output` or `error` in `response`, and accepted media in `parts`. */
  functionResponse: {
    id?: string;
    name: string;
    response: Record<string, unknown>;
    parts?: { inlineData: { mimeType: string; data: string } }[];
  };
}

/** A tool for the SDK's automatic function calling. */
export interface GoogleCallableTool {
  /** Returns the current tools. */
  tool(): Promise<GoogleTool>;
  /** Makes the calls to Plugboard's tools. Ignores other calls, because the SDK passes every call to every callable tool. */
  callTool(calls: readonly GoogleFunctionCall[]): Promise<GoogleFunctionResponse[]>;
}

/** Tools for the Google Gen AI SDK. */
export interface GoogleTools {
  /** Returns the current tools, for `config.tools` of the next request. */
  definitions(options?: SessionToolsOptions): Promise<GoogleTool>;
  /** Makes all calls of a response's `functionCalls`. Rejects only if aborted. */
  run(
    calls: readonly GoogleFunctionCall[] | undefined,
    options?: { readonly signal?: AbortSignal },
  ): Promise<GoogleFunctionResponse[]>;
  /** Returns a tool for the SDK's automatic function calling. Pass `signal`, because the SDK does not pass its own. */
  callable(options?: { readonly signal?: AbortSignal }): GoogleCallableTool;
}

/** The types that Gemini accepts in function responses. */
const SUPPORTED: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/webp", "application/pdf"]);

/** Converts the tools of a session or a list for the Google Gen AI SDK. */
export function googleTools(source: ToolSource, options: AdapterOptions = {}): GoogleTools {
  const bound = bindTools(source, "gemini", options);
  const definitions = async (wanted?: SessionToolsOptions): Promise<GoogleTool> => ({
    functionDeclarations: (await bound.read(wanted)).map(({ tool, schema }) => ({
      name: tool.name,
      description: tool.description,
      parametersJsonSchema: { ...schema },
    })),
  });
  const run: GoogleTools["run"] = (calls = [], { signal } = {}) =>
    Promise.all(
      calls.map(async ({ id, name = "", args }) => {
        const call = { name, args, ...(id !== undefined && { id }) };
        const answer = await bound.call(call, { ...options, signal });
        return {
          functionResponse: { ...(id !== undefined && { id }), name, ...toResponse(answer, options) },
        };
      }),
    );
  return {
    definitions,
    run,
    callable: (context) => ({
      tool: () => definitions(),
      callTool: async (calls) => {
        const known = await bound.names();
        return run(
          calls.filter(({ name = "" }) => known.has(name)),
          context,
        );
      },
    }),
  };
}

function toResponse(
  answer: ModelResult,
  { accepts = () => true }: AdapterOptions,
): Pick<GoogleFunctionResponse["functionResponse"], "response" | "parts"> {
  if (answer.isError) return { response: { error: answer.text } };
  // The API rejects other types, even if the program accepts them.
  const media = mediaOf(answer, (type) => SUPPORTED.has(type) && accepts(type));
  const parts = media.map(({ mimeType, data }) => ({ inlineData: { mimeType, data } }));
  return { response: { output: answer.text }, ...(parts.length > 0 && { parts }) };
}
