import type { Host, SamplingAnswer, SamplingRequest } from "../../../index.ts";
import { createPromptHandler } from "../insert/prompt-handler.ts";
import type { LineHandler } from "../line-handler.ts";
import type { Screen } from "../screen.ts";
import { createChat, createChatHandler, createModelHandler } from "./chat-handler.ts";
import { chooseConversation, createHistoryHandler, showResumed } from "./keep/history-handler.ts";
import { createModels, type Models } from "./models/models.ts";
import { createToolsHandler } from "./tools/tools-handler.ts";

export interface ChatPartsOptions {
  readonly host: Host;
  readonly screen: Screen;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder, for the model's instructions. */
  readonly folder: string;
  /** The value of `--model`. */
  readonly model?: string | undefined;
  /** See `ModelsOptions`. */
  readonly findsLocalModels?: boolean;
}

/** The parts of the chat that interactive mode uses. */
export interface ChatParts {
  /** Handlers for `/history`, `/export`, `/model`, `/new`, `/tools`, servers' prompts and messages. They must come after all other handlers. */
  readonly handlers: readonly LineHandler[];
  /** Answers a sampling request. The user must have approved it. */
  complete(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer>;
  readonly models: Models;
  /** Resolves when the running turn has ended and the conversation is saved. */
  settled(): Promise<void>;
  /** Continues an earlier conversation: the last one of this folder, or one that the user chooses. */
  resume(how: "last" | "choose", signal: AbortSignal): Promise<void>;
}

export function createChatParts(options: ChatPartsOptions): ChatParts {
  const { host, screen, env, folder, model, findsLocalModels } = options;
  const models = createModels({ host, env, asked: model, findsLocal: findsLocalModels });
  const parts = { host, screen, models, folder };
  const chat = createChat(parts);
  const history = { ...parts, conversation: chat.conversation, kept: chat.kept };
  return {
    async resume(how, signal) {
      if (how === "choose") await chooseConversation(history, signal);
      else if (await chat.kept.resumeLast()) showResumed(screen, chat.conversation);
      else screen.print("There is no earlier conversation in this folder.");
    },
    handlers: [
      createHistoryHandler(history),
      createModelHandler(parts, chat),
      createToolsHandler({ host, screen, selection: chat.conversation.selection }),
      createPromptHandler({ host, screen, say: chat.say }),
      createChatHandler(parts, chat),
    ],
    async complete(request, signal) {
      const current = await models.current(signal);
      return (await import("./answer-sampling.lazy.ts")).answerSampling(current, request, signal);
    },
    models,
    settled: chat.settled,
  };
}
