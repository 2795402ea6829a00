import type { ModelMessage } from "ai";
import type { PromptResult } from "../../../index.ts";
import { toContent, toText } from "./to-content.ts";

/** A prompt's messages as a part of the conversation, with their roles and media. */
export function toPromptMessages({ messages }: PromptResult, server: string): ModelMessage[] {
  const said = messages.map(
    ({ role, content }): ModelMessage =>
      role === "assistant"
        ? { role, content: toText(content, server) }
        : { role, content: [toContent(content, server)] },
  );
  // It is the model's turn now, and it answers to what a user says.
  return said.at(-1)?.role === "assistant" ? [...said, { role: "user", content: "Go on." }] : said;
}
