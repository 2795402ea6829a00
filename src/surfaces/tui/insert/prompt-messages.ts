import type { ModelMessage } from "ai";
import type { PromptResult } from "../../../index.ts";
import { toContent, toText } from "./to-content.ts";

/** Converts a prompt's messages to conversation messages, with their roles and media. */
export function toPromptMessages({ messages }: PromptResult, server: string): ModelMessage[] {
  const converted = messages.map(
    ({ role, content }): ModelMessage =>
      role === "assistant"
        ? { role, content: toText(content, server) }
        : { role, content: [toContent(content, server)] },
  );
  // Models answer a user message, so the conversation must end with one.
  return converted.at(-1)?.role === "assistant"
    ? [...converted, { role: "user", content: "Go on." }]
    : converted;
}
