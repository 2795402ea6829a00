import { geminiRefusals } from "./provider-rules.ts";
import {
  type Body,
  badNames,
  bodies,
  type OfferedTool,
  type Turn,
  unmatched,
  type Wire,
  wordsOf,
} from "./wire.ts";

const tools = (body: Body): OfferedTool[] =>
  bodies(body["tools"])
    .flatMap(({ functionDeclarations }) => bodies(functionDeclarations))
    .map(({ name, parameters, parametersJsonSchema }) => ({
      name: name as string,
      schema: (parameters ?? parametersJsonSchema ?? { type: "object" }) as Body,
    }));
const parts = (body: Body, key: string): Body[] =>
  bodies(body["contents"]).flatMap((content) =>
    bodies(content["parts"]).flatMap((part) => (part[key] === undefined ? [] : [part[key] as Body])),
  );

/** Gemini's generateContent. */
export const geminiWire: Wire = {
  path: /:(?:g|streamG)enerateContent/,
  tools,
  results: (body) =>
    parts(body, "functionResponse").map(({ response, parts: media }) =>
      media === undefined ? response : { response, media },
    ),
  refusals: (body) => [
    ...badNames(tools(body)),
    ...tools(body).flatMap(({ schema }) => geminiRefusals(schema)),
    ...unmatched(
      parts(body, "functionCall").map(({ name }) => name),
      parts(body, "functionResponse").map(({ name }) => name),
    ),
  ],
  stream: (turn) => ("text" in turn ? wordsOf(turn.text).map((text) => answer({ text })) : [answer(turn)]),
  answer,
};

function answer(turn: Turn): Body {
  return {
    candidates: [
      {
        index: 0,
        finishReason: "STOP",
        content: {
          role: "model",
          parts:
            "calls" in turn
              ? turn.calls.map(({ name, args }) => ({ functionCall: { name, args } }))
              : [{ text: turn.text }],
        },
      },
    ],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
}
