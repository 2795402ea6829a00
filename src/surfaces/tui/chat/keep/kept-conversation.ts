import type { ModelMessage } from "ai";
import type { ConversationInfo, Host, JsonObject } from "../../../../index.ts";
import { truncate } from "../../../../terminal.ts";
import type { Conversation } from "../conversation.ts";
import { textOf } from "./message-text.ts";

const MOST_TITLE = 80;

/** Keeps a conversation on disk, and continues an earlier one. */
export interface KeptConversation {
  /** Writes the conversation. Failures are ignored: the chat continues without a copy. */
  save(model: string): Promise<void>;
  /** Starts a new conversation. */
  startNew(): void;
  /** Continues an earlier conversation. Returns whether it exists. */
  resume(id: string): Promise<boolean>;
  /** Continues the most recent conversation of this folder. Returns whether there is one. */
  resumeLast(): Promise<boolean>;
  /** Returns the earlier conversations of this folder, the most recent first. */
  earlier(): Promise<ConversationInfo[]>;
}

export function keepConversation(
  { conversations }: Pick<Host, "conversations">,
  conversation: Conversation,
  folder: string,
): KeptConversation {
  let id = conversations.create();
  const earlier = async (): Promise<ConversationInfo[]> =>
    (await conversations.list()).filter((info) => info.folder === folder && info.id !== id);
  const resume = async (wanted: string): Promise<boolean> => {
    const saved = await conversations.read(wanted);
    if (saved === undefined) return false;
    // The roles and contents were checked when the file was read. The SDK checks the rest before it sends them.
    conversation.restore(saved.messages as unknown as readonly ModelMessage[]);
    id = wanted;
    return true;
  };
  return {
    earlier,
    resume,
    startNew() {
      conversation.clear();
      id = conversations.create();
    },
    async resumeLast() {
      const [last] = await earlier();
      return last !== undefined && resume(last.id);
    },
    async save(model) {
      const { messages } = conversation;
      const first = messages.find(({ role }) => role === "user");
      if (first === undefined) return;
      const [line = ""] = textOf(first).trim().split("\n");
      await conversations
        .save({ id, folder, title: truncate(line, MOST_TITLE), model, messages: toJson(messages) })
        .catch(() => undefined);
    },
  };
}

/** Messages are JSON, except for media, which `conversations.save` omits. */
export function toJson(messages: readonly ModelMessage[]): readonly JsonObject[] {
  return messages as unknown as readonly JsonObject[];
}
