import type { SessionToolsOptions } from "../../index.ts";
import { bindTools } from "../bound-tools.ts";
import type { ToolSource } from "../tool-source.ts";
import { type OpenAiOptions, rulesOf } from "./openai-options.ts";

/** A tool definition for Chat Completions. */
export interface ChatTool {
  /** The type of the tool. */
  type: "function";
  /** The function's name, description and the JSON Schema of its arguments. */
  function: { name: string; description: string; parameters: Record<string, unknown>; strict?: boolean };
}

/** A tool message with the result of a call. It contains only text, because the API supports nothing else here. */
export interface ChatToolMessage {
  /** The role of the message. */
  role: "tool";
  /** The id of the call. */
  tool_call_id: string;
  /** The text of the result. */
  content: string;
}

/** A call in an assistant message. */
export interface ChatToolCall {
  /** The id of the call. */
  readonly id: string;
  /** The type of the call. Only `"function"` calls are made. */
  readonly type: string;
}

/** Tools for Chat Completions. */
export interface ChatTools {
  /** Returns the current tools, for the `tools` of the next request. */
  definitions(options?: SessionToolsOptions): Promise<ChatTool[]>;
  /** Makes all calls of an assistant message. Rejects only if aborted. */
  run(
    calls: readonly ChatToolCall[] | null | undefined,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ChatToolMessage[]>;
}

interface FunctionCall extends ChatToolCall {
  readonly function: { readonly name: string; readonly arguments: string };
}

/** Converts the tools of a session or a list for OpenAI's Chat Completions API and compatible APIs. */
export function chatTools(source: ToolSource, options: OpenAiOptions = {}): ChatTools {
  const bound = bindTools(source, rulesOf(options), options);
  return {
    async definitions(wanted) {
      return (await bound.read(wanted)).map(({ tool, schema, strict }) => ({
        type: "function",
        function: {
          name: tool.name,
          description: tool.description,
          parameters: { ...schema },
          ...(strict && { strict }),
        },
      }));
    },
    run: (calls, { signal } = {}) =>
      Promise.all(
        (calls ?? []).filter(isCall).map(async ({ id, function: { name, arguments: args } }) => {
          const { text } = await bound.call({ name, args, id }, { ...options, signal });
          return { role: "tool", tool_call_id: id, content: text } as const;
        }),
      ),
  };
}

function isCall(call: ChatToolCall): call is FunctionCall {
  return call.type === "function";
}
