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
  /** What the model is told that it works in. */
  readonly folder: string;
  /** What `--model` says. */
  readonly model?: string | undefined;
}

/** What the chat brings to interactive mode. */
export interface ChatParts {
  /** `/model` and `/new`, the servers' prompts, and whatever is said; after every other handler. */
  readonly handlers: readonly LineHandler[];
  /** Answers what a server asks of a model, once a person agreed. */
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
