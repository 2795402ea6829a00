import {
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
  type SamplingAnswer,
  type SamplingContent,
  type SamplingMessage,
  type SamplingRequest,
  type SamplingResult,
} from "../../model/index.ts";
import { jsonWeight, type WeightLimits } from "../../platform/index.ts";
import { INVALID_PARAMS, RpcRefusal } from "./rpc-refusal.ts";

const MOST_STOP_SEQUENCES = 1_000;
/** The limit for messages, content blocks and tools. More are a mistake or an attack. */
const MOST_ITEMS = 10_000;

/** Structured parts beyond these cannot be shown to a person. Texts and media do not count. */
const STRUCTURE_LIMITS: WeightLimits = { depth: 64, weight: 1024 * 1024 };

/** Reads a server's request for a model's answer. Throws an `RpcRefusal` if it is invalid. */
export function readSampling(server: string, params: JsonObject): SamplingRequest {
  const { maxTokens, systemPrompt, temperature, stopSequences, toolChoice } = params;
  const { modelPreferences, metadata } = params;
  if (typeof maxTokens !== "number" || !(maxTokens > 0)) throw unusable("maxTokens must be a number");
  const tools = params["tools"] === undefined ? undefined : objectsIn(params["tools"], "tools");
  assertLight([modelPreferences ?? null, metadata ?? null, toolChoice ?? null], "its settings");
  assertLight(params["tools"] ?? null, "tools");
  return {
    server,
    messages: objectsIn(params["messages"], "messages").map(readMessage),
    maxTokens,
    ...(typeof systemPrompt === "string" && { systemPrompt }),
    ...(typeof temperature === "number" && { temperature }),
    ...(isList(stopSequences) && {
      stopSequences: stopSequences.slice(0, MOST_STOP_SEQUENCES).filter((word) => typeof word === "string"),
    }),
    ...(isJsonObject(modelPreferences) && { modelPreferences }),
    ...(tools && { tools }),
    ...(isJsonObject(toolChoice) && { toolChoice }),
    ...(isJsonObject(metadata) && { metadata }),
  };
}

/** Reads a message with one content block or several. Newer revisions allow both. */
function readMessage({ role, content }: JsonObject): SamplingMessage {
  if (role !== "user" && role !== "assistant") throw unusable("a message has no role");
  const blocks = isJsonObject(content) ? [content] : objectsIn(content, "the content of a message");
  return { role, content: blocks.map(readContent) };
}

function readContent(block: JsonObject): SamplingContent {
  const { type, text, data, mimeType, id, name, input, toolUseId, content } = block;
  if (type === "text" && typeof text === "string") return { type, text };
  if ((type === "image" || type === "audio") && typeof data === "string" && typeof mimeType === "string")
    return { type, data, mimeType };
  if (type === "tool_use" && typeof id === "string" && typeof name === "string") {
    assertLight(input ?? null, "the input of a tool");
    return { type, id, name, input: isJsonObject(input) ? input : {} };
  }
  if (type === "tool_result" && typeof toolUseId === "string") {
    const { structuredContent, isError } = block;
    return {
      type,
      toolUseId,
      content: objectsIn(content ?? [], "the content of a tool's result"),
      ...(isJsonObject(structuredContent) && { structuredContent }),
      ...(typeof isError === "boolean" && { isError }),
    };
  }
  throw unusable("a message contains content of an unknown type");
}

function assertLight(value: JsonValue, what: string): void {
  if (typeof jsonWeight(value, STRUCTURE_LIMITS) !== "number") throw unusable(`${what} are too large`);
}

function objectsIn(value: JsonValue | undefined, what: string): readonly JsonObject[] {
  const list = isList(value) ? value : undefined;
  if (list !== undefined && list.length > MOST_ITEMS)
    throw unusable(`${what} must have at most ${MOST_ITEMS} items`);
  if (list === undefined || !list.every(isJsonObject)) throw unusable(`${what} must be a list of objects`);
  return list;
}

export function toSamplingResult({ content, model, stopReason }: SamplingAnswer): SamplingResult {
  return { role: "assistant", content, model, ...(stopReason !== undefined && { stopReason }) };
}

function unusable(why: string): RpcRefusal {
  return new RpcRefusal(INVALID_PARAMS, `Invalid sampling request: ${why}.`);
}
