import { isJsonObject, isList, type JsonObject, type JsonValue } from "../../model/index.ts";

/** Converts a server's URI to the one that clients see. */
export type ToAddress = (uri: string) => string;

/** Returns a result with the URIs that clients see. Texts and structured content stay as they are. */
export function rewriteResult(result: JsonObject, toAddress: ToAddress): JsonObject {
  const { contents, content, messages, _meta: meta } = result;
  const rewritten: Record<string, JsonValue> = { ...result };
  if (isList(contents)) rewritten["contents"] = contents.map((item) => withUri(item, toAddress));
  if (isList(content)) rewritten["content"] = content.map((block) => rewriteContent(block, toAddress));
  if (isList(messages)) rewritten["messages"] = messages.map((message) => rewriteMessage(message, toAddress));
  if (isJsonObject(meta)) rewritten["_meta"] = rewriteMeta(meta, toAddress);
  return rewritten;
}

/** Returns a definition with the URIs that clients see in its `_meta`. */
export function rewriteDefinition(definition: JsonObject, toAddress: ToAddress): JsonObject {
  const { _meta: meta } = definition;
  return isJsonObject(meta) ? { ...definition, _meta: rewriteMeta(meta, toAddress) } : definition;
}

/** Returns a message of a prompt or of a sampling request. Its content is one block or several. */
export function rewriteMessage(message: JsonValue, toAddress: ToAddress): JsonValue {
  if (!isJsonObject(message)) return message;
  const { content } = message;
  if (content === undefined) return message;
  const rewritten = isList(content)
    ? content.map((block) => rewriteContent(block, toAddress))
    : rewriteContent(content, toAddress);
  return { ...message, content: rewritten };
}

function rewriteContent(block: JsonValue, toAddress: ToAddress): JsonValue {
  if (!isJsonObject(block)) return block;
  if (block["type"] === "resource_link") return withUri(block, toAddress);
  const { resource } = block;
  return block["type"] === "resource" && resource !== undefined
    ? { ...block, resource: withUri(resource, toAddress) }
    : block;
}

function withUri(item: JsonValue, toAddress: ToAddress): JsonValue {
  if (!isJsonObject(item) || typeof item["uri"] !== "string") return item;
  return { ...item, uri: toAddress(item["uri"]) };
}

/** MCP Apps name the resource with a tool's user interface in two ways. */
function rewriteMeta(meta: JsonObject, toAddress: ToAddress): JsonObject {
  const { ui, "ui/resourceUri": flat } = meta;
  const nested = isJsonObject(ui) ? ui["resourceUri"] : undefined;
  return {
    ...meta,
    ...(isJsonObject(ui) && typeof nested === "string" && { ui: { ...ui, resourceUri: toAddress(nested) } }),
    ...(typeof flat === "string" && { "ui/resourceUri": toAddress(flat) }),
  };
}
