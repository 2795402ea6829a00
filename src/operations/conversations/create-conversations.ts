import { randomBytes } from "node:crypto";
import { isJsonObject, isList, type JsonObject } from "../../model/index.ts";
import { createConversationFiles, timeOf } from "../../state/index.ts";
import type { HostScope } from "../host-scope.ts";
import type { Workspace } from "../workspace.ts";
import type { HostConversations } from "./conversations-api.ts";

export function createConversations({ workspace, whileOpen }: HostScope): HostConversations {
  const { ports, places } = workspace;
  const { clock } = ports;
  const files = createConversationFiles(ports, places);
  return {
    create: () => `${timeOf(clock.now())}-${randomBytes(4).toString("hex")}`,
    save: ({ messages, title, ...info }, options) =>
      whileOpen(async () => {
        if (!workspace.inventory().settings.keepConversations) return;
        const updatedAt = new Date(clock.now()).toISOString();
        await files.write({
          ...info,
          title: workspace.redactor.redact(title),
          updatedAt,
          messages: maskMessages(workspace, messages),
        });
      }, options),
    list: (options) => whileOpen(files.list, options),
    read: (id, options) => whileOpen(() => files.read(id), options),
    clear: (options) => whileOpen(files.clear, options),
    mask: (messages) => maskMessages(workspace, messages),
  };
}

function maskMessages({ redactor }: Workspace, messages: readonly JsonObject[]): JsonObject[] {
  // Through JSON, because messages may contain bytes and URLs, which JSON cannot hold.
  const plain = JSON.parse(JSON.stringify(messages.map(withoutMedia))) as JsonObject[];
  return redactor.redactValue(plain) as JsonObject[];
}

/** Replaces images, audio and files by their type, because they are large. */
function withoutMedia(value: unknown): unknown {
  if (isList(value)) return value.map(withoutMedia);
  if (!isJsonObject(value)) return value;
  const { type, mediaType, data, image, url } = value;
  const isMedia = typeof type === "string" && /^(?:file|image|media)/.test(type);
  if (isMedia && [data, image, url].some((each) => each !== undefined))
    return { type: "text", text: `[${typeof mediaType === "string" ? mediaType : "image"}, not kept]` };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutMedia(item)]));
}
