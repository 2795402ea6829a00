import { openAiRefusals, strictRefusals } from "./provider-rules.ts";
import {
  type Body,
  badNames,
  bodies,
  nextId,
  type OfferedTool,
  type Turn,
  tooMany,
  unmatched,
  type Wire,
  wordsOf,
} from "./wire.ts";

const tools = (body: Body): OfferedTool[] =>
  bodies(body["tools"]).map((tool) => {
    const { name, parameters, strict } = tool["function"] as Body;
    return { name: name as string, schema: (parameters ?? {}) as Body, strict: strict === true };
  });
const toolCalls = (turn: Turn): Body[] =>
  "calls" in turn
    ? turn.calls.map(({ name, args }) => ({
        id: nextId("call"),
        type: "function",
        function: { name, arguments: JSON.stringify(args) },
      }))
    : [];
const results = (body: Body): Body[] => bodies(body["messages"]).filter(({ role }) => role === "tool");

/** OpenAI's Chat Completions. */
export const chatWire: Wire = {
  path: /\/chat\/completions$/,
  endsWith: "[DONE]",
  tools,
  results: (body) => results(body).map(({ content }) => content),
  refusals: (body) => [
    ...badNames(tools(body)),
    ...tooMany(tools(body)),
    ...tools(body).flatMap(({ schema, strict }) =>
      strict ? strictRefusals(schema) : openAiRefusals(schema),
    ),
    ...unmatched(
      bodies(body["messages"]).flatMap((message) => bodies(message["tool_calls"]).map(({ id }) => id)),
      results(body).map(({ tool_call_id: id }) => id),
    ),
  ],
  answer: (turn) => ({
    id: nextId("chat"),
    object: "chat.completion",
    created: 0,
    model: "test",
    choices: [
      {
        index: 0,
        finish_reason: "calls" in turn ? "tool_calls" : "stop",
        message: {
          role: "assistant",
          content: "text" in turn ? turn.text : null,
          ...("calls" in turn && { tool_calls: toolCalls(turn) }),
        },
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
  stream(turn) {
    const chunk = (delta: Body, finish: string | null): Body => ({
      id: "chat_stream",
      object: "chat.completion.chunk",
      created: 0,
      model: "test",
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    return "calls" in turn
      ? [
          chunk(
            { role: "assistant", tool_calls: toolCalls(turn).map((call, index) => ({ index, ...call })) },
            null,
          ),
          chunk({}, "tool_calls"),
        ]
      : [
          ...wordsOf(turn.text).map((word) => chunk({ role: "assistant", content: word }, null)),
          chunk({}, "stop"),
        ];
  },
};
