import type { ModelMessage } from "ai";
import type { Host } from "../../src/index.ts";
import type { ChatEvent, TurnEnd } from "../../src/surfaces/tui/chat/chat-event.ts";
import { type Conversation, createConversation } from "../../src/surfaces/tui/chat/conversation.ts";
import { createModels } from "../../src/surfaces/tui/chat/models/models.ts";
import type { ModelServer } from "../adapters/model-server.ts";

/** Returns an environment that points to the scripted model. */
export function modelEnv({ url }: Pick<ModelServer, "url">): Record<string, string> {
  return { OLLAMA_HOST: url };
}

export interface Talk {
  readonly conversation: Conversation;
  readonly events: ChatEvent[];
  /** The complete text of the model's answers. */
  text(): string;
  say(text: string, signal?: AbortSignal): Promise<TurnEnd>;
}

/** Creates a conversation with a scripted model, reached as Ollama or as `asked`. */
export function talkTo(
  host: Host,
  server: Pick<ModelServer, "url">,
  options: { readonly asked?: string; readonly env?: Record<string, string>; readonly waitMs?: number } = {},
): Talk {
  const { asked = "ollama/test", env = modelEnv(server), waitMs = 20_000 } = options;
  const models = createModels({ host, env, asked });
  const conversation = createConversation({
    host,
    models,
    folder: "/checkout",
    waitMs,
    retries: 0,
    steps: 5,
  });
  const events: ChatEvent[] = [];
  return {
    conversation,
    events,
    text: () => events.map((event) => (event.type === "text" ? event.text : "")).join(""),
    say: (text, signal = new AbortController().signal) =>
      conversation.say([{ role: "user", content: text }], {
        signal,
        onEvent: (event) => void events.push(event),
      }),
  };
}

/** Returns the ids of the calls and of the results in a conversation. */
export function callsIn(messages: readonly ModelMessage[]): { calls: string[]; answers: string[] } {
  const parts = messages.flatMap(({ content }): readonly { type: string; toolCallId?: string }[] =>
    typeof content === "string" ? [] : content,
  );
  const ids = (type: string): string[] =>
    parts.flatMap((part) => (part.type === type && part.toolCallId !== undefined ? [part.toolCallId] : []));
  return { calls: ids("tool-call"), answers: ids("tool-result") };
}
