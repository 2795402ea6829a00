import { type ModelMessage, stepCountIs, streamText } from "ai";
import { aiSdkTools } from "../../../adapters/ai-sdk/index.ts";
import type { Session } from "../../../index.ts";
import type { ChatEvent, TurnEnd } from "./chat-event.ts";
import { toModelError } from "./models/model-error.ts";
import type { OpenModel } from "./models/open-model.ts";
import type { TokenUsage } from "./token-count.ts";
import { createTurnRecord } from "./turn-record.ts";

export interface TurnRequest {
  readonly model: OpenModel;
  /** All previous messages and the new ones. */
  readonly messages: readonly ModelMessage[];
  readonly instructions: string;
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly onEvent: (event: ChatEvent) => void;
  /** Called after each request with its tokens, if the provider reports them. */
  readonly onUsage?: ((usage: TokenUsage) => void) | undefined;
  readonly steps?: number;
  /** How often a failed request is retried. */
  readonly retries?: number;
}

export interface Turn {
  readonly end: TurnEnd;
  /** The messages to keep. Every call has a result, however the turn ended. */
  readonly messages: readonly ModelMessage[];
}

const MOST_STEPS = 50;

// Keeps the SDK from logging warnings about model settings to the console.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/**
 * Runs one turn: the model answers, calls tools and reads their results until it is done. The host's policy check applies to each call.
 * Never rejects.
 */
export async function runTurn(request: TurnRequest): Promise<Turn> {
  const { model, session, signal, steps = MOST_STEPS } = request;
  const record = createTurnRecord(session, request.onEvent);
  let failure: unknown;
  try {
    const { tools } = await aiSdkTools(session, {
      version: 6,
      schemas: model.schemas,
      decide: () => "allow",
      streamProgress: true,
    });
    const result = streamText({
      model: model.client,
      system: request.instructions,
      messages: [...request.messages],
      tools,
      stopWhen: stepCountIs(steps),
      abortSignal: signal,
      maxRetries: request.retries ?? (model.provider.speaks === "chat" ? 0 : 2), // retrying does not help with a local model
      providerOptions: {
        openai: { store: false }, // do not store the conversation at the provider
        anthropic: { cacheControl: { type: "ephemeral" } }, // cached input costs a tenth
      },
      prepareStep({ messages }) {
        record.startStep(messages.slice(request.messages.length));
        return {};
      },
      onError: () => undefined, // reported below; by default the SDK logs to the console
    });
    for await (const part of result.fullStream) {
      if (part.type === "error") failure ??= part.error;
      else record.take(part);
      if (part.type === "finish-step") {
        const { inputTokens: input = 0, outputTokens: output = 0 } = part.usage;
        if (input + output > 0) request.onUsage?.({ input, output });
      }
    }
    if (failure === undefined && !signal.aborted) {
      const [{ messages }, reason, { length: taken }] = await Promise.all([
        result.response,
        result.finishReason,
        result.steps,
      ]);
      if (reason === "tool-calls" && taken >= steps) return { end: { kind: "limit", steps }, messages };
      const isCut = reason === "length" || reason === "content-filter";
      return { end: { kind: "done", ...(isCut && { cut: reason }) }, messages };
    }
  } catch (error) {
    failure ??= error;
  }
  const end: TurnEnd = signal.aborted
    ? { kind: "aborted" }
    : { kind: "failed", error: toModelError(failure, model) };
  return {
    end,
    messages: record.close(signal.aborted ? "The user cancelled the call." : "The turn ended early."),
  };
}
