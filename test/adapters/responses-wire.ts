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
  unsearchable,
  type Wire,
  wordsOf,
} from "./wire.ts";

const toOffered = ({ name, parameters, strict, defer_loading: isDeferred }: Body): OfferedTool => ({
  name: name as string,
  schema: (parameters ?? {}) as Body,
  strict: strict === true,
  isDeferred: isDeferred === true,
});
const tools = (body: Body): OfferedTool[] =>
  bodies(body["tools"])
    .filter(({ type }) => type === "function")
    .map(toOffered);
/** The definitions that searches of the program returned. */
const found = (body: Body): OfferedTool[] =>
  ofType(body, "tool_search_output").flatMap((item) => bodies(item["tools"]).map(toOffered));
const ofType = (body: Body, type: string): Body[] =>
  bodies(body["input"]).filter((item) => item["type"] === type);

const CALLS = ["function_call", "tool_search_call"];
const OUTPUTS = ["function_call_output", "tool_search_output"];

/** OpenAI's Responses. A call of `tool_search` is a search that the program executes. */
export const responsesWire: Wire = {
  path: /\/responses$/,
  endsWith: "[DONE]",
  tools,
  results: (body) => ofType(body, "function_call_output").map(({ output }) => output),
  refusals: (body) => [
    ...badNames(tools(body)),
    ...tooMany(tools(body)),
    ...unsearchable(
      tools(body),
      bodies(body["tools"]).some(({ type }) => type === "tool_search"),
    ),
    ...[...tools(body), ...found(body)].flatMap(({ schema, strict }) =>
      strict ? strictRefusals(schema) : openAiRefusals(schema),
    ),
    ...unmatched(
      CALLS.flatMap((type) => ofType(body, type).map(({ call_id: id }) => id)),
      OUTPUTS.flatMap((type) => ofType(body, type).map(({ call_id: id }) => id)),
    ),
  ],
  answer,
  stream(turn) {
    const response = answer(turn);
    return [
      { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
      ...bodies(response["output"]).flatMap((item, index) => {
        const place = { item_id: item["id"], output_index: index };
        const deltas: Body[] =
          "text" in turn
            ? wordsOf(turn.text).map((delta) => ({
                type: "response.output_text.delta",
                ...place,
                content_index: 0,
                delta,
              }))
            : [{ type: "response.function_call_arguments.delta", ...place, delta: item["arguments"] }];
        return [
          {
            type: "response.output_item.added",
            output_index: index,
            item: { ...item, status: "in_progress" },
          },
          ...deltas,
          { type: "response.output_item.done", output_index: index, item },
        ];
      }),
      { type: "response.completed", response },
    ];
  },
};

function answer(turn: Turn): Body {
  return {
    id: nextId("resp"),
    object: "response",
    created_at: 0,
    status: "completed",
    model: "test",
    error: null,
    incomplete_details: null,
    output:
      "calls" in turn
        ? turn.calls.map(({ name, args }) => {
            const common = { id: nextId("fc"), call_id: nextId("call"), status: "completed" };
            return name === "tool_search"
              ? { type: "tool_search_call", ...common, execution: "client", arguments: args }
              : { type: "function_call", ...common, name, arguments: JSON.stringify(args) };
          })
        : [
            {
              type: "message",
              id: nextId("msg"),
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text: turn.text, annotations: [], logprobs: [] }],
            },
          ],
    usage: {
      input_tokens: 1,
      output_tokens: 1,
      total_tokens: 2,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  };
}
