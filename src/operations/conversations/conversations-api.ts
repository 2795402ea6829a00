import type { JsonObject, WaitOptions } from "../../model/index.ts";
import type { ConversationInfo, SavedConversation } from "../../state/index.ts";

/** Plugboard's chat conversations, stored in the state folder. */
export interface HostConversations {
  /** Returns an id for a new conversation. */
  create(): string;
  /**
   * Writes a conversation, with secrets masked and without media. Does nothing if the setting `keepConversations` is `false`.
   * Removes the oldest conversations if there are more than 200, and all that started more than 90 days ago.
   */
  save(conversation: Omit<SavedConversation, "updatedAt">, options?: WaitOptions): Promise<void>;
  /** Returns the conversations, the most recent first. */
  list(options?: WaitOptions): Promise<ConversationInfo[]>;
  /** Returns a conversation, or `undefined` if there is none with this id. */
  read(id: string, options?: WaitOptions): Promise<SavedConversation | undefined>;
  /** Removes all conversations, and returns how many there were. */
  clear(options?: WaitOptions): Promise<number>;
  /** Returns the messages with secrets masked and without media, as `save` would write them. */
  mask(messages: readonly JsonObject[]): JsonObject[];
}
