import { bindTools, type CleanTool } from "../bound-tools.ts";
import { makeCall, readInput } from "../make-call.ts";
import { dataUrl, isImage, type Media, mediaOf } from "../model-content.ts";
import { heldTools, type ToolSource } from "../tool-source.ts";
import { type OpenAiOptions, rulesOf } from "./openai-options.ts";

type OutputContent =
  | { type: "text"; text: string }
  | { type: "image"; image: string }
  | { type: "file"; file: { data: string; mediaType: string; filename: string } };

/** A function tool of the Agents SDK. */
export interface AgentsTool {
  type: "function";
  name: string;
  description: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- the SDK's own type of a schema is made of it
  parameters: any;
  strict: boolean;
  invoke(
    context: unknown,
    input: string,
    details?: { readonly signal?: AbortSignal },
  ): Promise<string | OutputContent[]>;
  needsApproval(context: unknown, input: unknown, callId?: string): Promise<boolean>;
  isEnabled(): Promise<boolean>;
}

/** The tools of a session, or of a list, for the Agents SDK. One that its server takes back is not offered any more. */
export async function agentsTools(source: ToolSource, options: OpenAiOptions = {}): Promise<AgentsTool[]> {
  const bound = bindTools(source, rulesOf(options));
  return (await bound.read()).map((clean) => toAgentsTool(clean, source, options));
}

function toAgentsTool(clean: CleanTool, source: ToolSource, options: OpenAiOptions): AgentsTool {
  const { tool, schema, strict } = clean;
  const { decide, accepts } = options;
  const { decide: _, ...unasked } = options;
  return {
    type: "function",
    name: tool.name,
    description: tool.description,
    parameters: { additionalProperties: true, required: [], ...schema },
    strict,
    async invoke(_context, args, { signal } = {}) {
      const refusing = decide && {
        decide: async (call: Parameters<typeof decide>[0]) => allowed(await decide(call)),
      };
      const answer = await makeCall(clean, { name: tool.name, args }, { ...unasked, ...refusing }, signal);
      const media = mediaOf(answer, accepts);
      return media.length === 0
        ? answer.text
        : [{ type: "text", text: answer.text }, ...media.map(toContent)];
    },
    async needsApproval(_context, value, id) {
      const input = readInput(value);
      if (decide === undefined || typeof input === "string") return false;
      const call = { tool, input: clean.restore(input), ...(id !== undefined && { id }) };
      return (await decide(call)) === "ask";
    },
    isEnabled: async () => heldTools(source).some(({ name }) => name === tool.name),
  };
}

/** `ask` has been answered by now: the SDK invokes nothing that still needs an approval. */
function allowed(decision: "allow" | "ask" | "deny"): "allow" | "deny" {
  return decision === "deny" ? "deny" : "allow";
}

function toContent(media: Media): OutputContent {
  if (isImage(media)) return { type: "image", image: dataUrl(media) };
  const { data, mimeType, filename } = media;
  return { type: "file", file: { data, mediaType: mimeType, filename } };
}
