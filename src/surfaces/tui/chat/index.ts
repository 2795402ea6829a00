import type { Host, SamplingAnswer, SamplingRequest } from "../../../index.ts";
import { createPromptHandler } from "../insert/prompt-handler.ts";
import type { LineHandler } from "../line-handler.ts";
import type { Screen } from "../screen.ts";
import { createChat, createChatHandler, createModelHandler } from "./chat-handler.ts";
import { createModels, type Models } from "./models/models.ts";

export interface ChatPartsOptions {
  readonly host: Host;
  readonly screen: Screen;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder that the model is told. */
  readonly folder: string;
  /** The value of `--model`. */
  readonly model?: string | undefined;
}

/** The parts of the chat that interactive mode uses. */
export interface ChatParts {
  /** Handlers for `/model`, `/new`, servers' prompts and messages. They must come after all other handlers. */
  readonly handlers: readonly LineHandler[];
  /** Answers a sampling request. The user must have approved it. */
  complete(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer>;
  readonly models: Models;
}

export function createChatParts({ host, screen, env, folder, model }: ChatPartsOptions): ChatParts {
  const models = createModels({ host, env, asked: model });
  const options = { host, screen, models, folder };
  const chat = createChat(options);
  return {
    handlers: [
      createModelHandler(options, chat),
      createPromptHandler({ host, screen, say: chat.say }),
      createChatHandler(options, chat),
    ],
    async complete(request, signal) {
      const current = await models.current(signal);
      return (await import("./answer-sampling.lazy.ts")).answerSampling(current, request, signal);
    },
    models,
  };
}
