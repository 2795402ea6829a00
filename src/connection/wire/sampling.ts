import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type SamplingAnswer,
  type SamplingMessage,
  type SamplingRequest,
} from "../../model/index.ts";
import { INVALID_PARAMS, RpcRefusal } from "./rpc-refusal.ts";

/** A server's request for a model's answer, checked. Throws an `RpcRefusal` when it cannot be understood. */
export function readSampling(server: string, params: JsonObject): SamplingRequest {
  const { maxTokens, systemPrompt, temperature, stopSequences, toolChoice } = params;
  const { modelPreferences, metadata } = params;
  if (typeof maxTokens !== "number" || !(maxTokens > 0)) throw unusable("maxTokens must be a number");
  const tools = params["tools"] === undefined ? undefined : objectsIn(params["tools"], "tools");
  return {
    server,
    messages: objectsIn(params["messages"], "messages").map(readMessage),
    maxTokens,
    ...(typeof systemPrompt === "string" && { systemPrompt }),
    ...(typeof temperature === "number" && { temperature }),
    ...(Array.isArray(stopSequences) && {
      stopSequences: (stopSequences as readonly JsonValue[]).filter((word) => typeof word === "string"),
    }),
    ...(isJsonObject(modelPreferences) && { modelPreferences }),
    ...(tools && { tools }),
    ...(isJsonObject(toolChoice) && { toolChoice }),
    ...(isJsonObject(metadata) && { metadata }),
  };
}

function readMessage({ role, content }: JsonObject): SamplingMessage {
  if (role !== "user" && role !== "assistant") throw unusable("a message has no role");
  if (isJsonObject(content)) return { role, content };
  return { role, content: objectsIn(content, "the content of a message") };
}

function objectsIn(value: JsonValue | undefined, what: string): readonly JsonObject[] {
  const list = Array.isArray(value) ? (value as readonly JsonValue[]) : undefined;
  if (list === undefined || !list.every(isJsonObject)) throw unusable(`${what} must be a list of objects`);
  return list;
}

export function toSamplingResult({ content, model, stopReason }: SamplingAnswer): JsonObject {
  return { role: "assistant", content, model, ...(stopReason !== undefined && { stopReason }) };
}

function unusable(why: string): RpcRefusal {
  return new RpcRefusal(INVALID_PARAMS, `This sampling request cannot be understood: ${why}.`);
}
