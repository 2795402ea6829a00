import { anthropicRefusals } from "./provider-rules.ts";
import {
  type Body,
  badNames,
  bodies,
  nextId,
  type OfferedTool,
  type Turn,
  unmatched,
  unsearchable,
  type Wire,
  wordsOf,
} from "./wire.ts";

const tools = (body: Body): OfferedTool[] =>
  bodies(body["tools"])
    .filter((tool) => tool["input_schema"] !== undefined)
    .map(({ name, input_schema: schema, defer_loading: isDeferred }) => ({
      name: name as string,
      schema: schema as Body,
      isDeferred: isDeferred === true,
    }));
const ofType = (body: Body, type: string): Body[] =>
  bodies(body["messages"]).flatMap(({ content }) =>
    bodies(content).filter((block) => block["type"] === type),
  );

/** Returns references in tool results to tools that the request does not define. */
function unresolved(body: Body): string[] {
  const names = tools(body).map(({ name }) => name);
  return ofType(body, "tool_result")
    .flatMap(({ content }) => bodies(content))
    .filter(({ type, tool_name: name }) => type === "tool_reference" && !names.includes(name as string))
    .map(({ tool_name: name }) => `unresolved reference to ${String(name)}`);
}

const continues = (body: Body): boolean => (body["thread"] as Body | undefined)?.["type"] === "continue";

/** Anthropic's Messages API. In a thread, as the tool runner opens one, only new messages are sent. */
export const anthropicWire: Wire = {
  path: /\/messages(?:\?.*)?$/,
  tools,
  continues,
  results: (body) =>
    ofType(body, "tool_result").map(({ content, is_error: isError }) =>
      isError ? { content, isError } : content,
    ),
  refusals: (body) => [
    ...badNames(tools(body)),
    ...unsearchable(
      tools(body),
      bodies(body["tools"]).some(({ defer_loading: isDeferred }) => isDeferred !== true),
    ),
    ...unresolved(body),
    ...tools(body).flatMap(({ schema }) => anthropicRefusals(schema)),
    ...(continues(body)
      ? []
      : unmatched(
          ofType(body, "tool_use").map(({ id }) => id),
          ofType(body, "tool_result").map(({ tool_use_id: id }) => id),
        )),
  ],
  answer,
  stream(turn) {
    const message = answer(turn);
    const blocks = bodies(message["content"]).flatMap((block, index) => {
      const isCall = block["type"] === "tool_use";
      const deltas = isCall
        ? [{ type: "input_json_delta", partial_json: JSON.stringify(block["input"]) }]
        : wordsOf(String(block["text"])).map((text) => ({ type: "text_delta", text }));
      return [
        {
          type: "content_block_start",
          index,
          content_block: isCall ? { ...block, input: {} } : { ...block, text: "" },
        },
        ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
        { type: "content_block_stop", index },
      ];
    });
    const { stop_reason, stop_sequence, usage } = message;
    return [
      { type: "message_start", message: { ...message, content: [], stop_reason: null } },
      ...blocks,
      { type: "message_delta", delta: { stop_reason, stop_sequence }, usage },
      { type: "message_stop" },
    ];
  },
};

function answer(turn: Turn): Body {
  return {
    id: nextId("msg"),
    type: "message",
    role: "assistant",
    model: "test",
    stop_reason: "calls" in turn ? "tool_use" : "end_turn",
    stop_sequence: null,
    content:
      "calls" in turn
        ? turn.calls.map(({ name, args }) => ({ type: "tool_use", id: nextId("toolu"), name, input: args }))
        : [{ type: "text", text: turn.text }],
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}
