import { bindTools } from "../bound-tools.ts";
import { makeCall } from "../make-call.ts";
import type { ToolSource } from "../tool-source.ts";
import { type OpenAiOptions, rulesOf } from "./openai-options.ts";

export interface ChatTool {
  type: "function";
  function: { name: string; description: string; parameters: Record<string, unknown>; strict?: boolean };
}

/** Text only: a tool's message cannot hold anything else. */
export interface ChatToolMessage {
  role: "tool";
  tool_call_id: string;
  content: string;
}

/** A call in an assistant's message, as far as it has to be known. */
export interface ChatToolCall {
  readonly id: string;
  readonly type: string;
}

export interface ChatTools {
  /** `tools` of the next request, as the session has them now. */
  definitions(): Promise<ChatTool[]>;
  /** Makes every call of an assistant's message. Rejects only when aborted. */
  run(
    calls: readonly ChatToolCall[] | null | undefined,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ChatToolMessage[]>;
}

interface FunctionCall extends ChatToolCall {
  readonly function: { readonly name: string; readonly arguments: string };
}

/** The tools of a session, or of a list, for Chat Completions of OpenAI and of everybody who speaks like it. */
export function chatTools(source: ToolSource, options: OpenAiOptions = {}): ChatTools {
  const bound = bindTools(source, rulesOf(options));
  return {
    async definitions() {
      return (await bound.read()).map(({ tool, schema, strict }) => ({
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
          const { text } = await makeCall(
            bound.find(name),
            { name, args, id },
            { ...options, signal, namesLike: bound.namesLike },
          );
          return { role: "tool", tool_call_id: id, content: text } as const;
        }),
      ),
  };
}

function isCall(call: ChatToolCall): call is FunctionCall {
  return call.type === "function";
}
