import type { ModelMessage } from "ai";
import type { Host, Session } from "../../../index.ts";
import type { ChatEvent, TurnEnd } from "./chat-event.ts";
import type { Models } from "./models/models.ts";
import { type AbsentServer, findReadyServers } from "./ready-servers.ts";
import type { TokenUsage } from "./token-count.ts";
import { createToolSelection, type ToolSelection } from "./tools/tool-selection.ts";

export interface ConversationOptions {
  readonly host: Host;
  readonly models: Models;
  readonly folder: string;
  /** How long a turn waits for servers whose tools are not known yet. */
  readonly waitMs: number;
  readonly retries?: number;
  readonly steps?: number;
}

export interface SayOptions {
  readonly signal: AbortSignal;
  readonly onEvent: (event: ChatEvent) => void;
  /** Called after each request with its tokens, if the provider reports them. */
  readonly onUsage?: (usage: TokenUsage) => void;
  /** Called before the request with the servers that are not available in this turn. */
  readonly onAbsent?: (servers: readonly AbsentServer[]) => void;
}

/** The messages so far, and the next turn. */
export interface Conversation {
  /** Sends messages and runs a turn. Rejects if there is no model. A failed turn resolves with `kind: "failed"`. */
  say(messages: readonly ModelMessage[], options: SayOptions): Promise<TurnEnd>;
  /** Deletes all messages. */
  clear(): void;
  /** Replaces the messages by those of an earlier conversation. */
  restore(messages: readonly ModelMessage[]): void;
  readonly messages: readonly ModelMessage[];
  /** The servers and tools that the model gets. A new conversation starts with all of them. */
  readonly selection: ToolSelection;
}

export function createConversation(options: ConversationOptions): Conversation {
  const { host, models, folder, waitMs, retries, steps } = options;
  let history: readonly ModelMessage[] = [];
  const late = new Set<string>();
  let lastSession: Session | undefined;
  const selection = createToolSelection();
  return {
    selection,
    get messages() {
      return history;
    },
    clear() {
      history = [];
      selection.reset();
      lastSession = undefined;
    },
    restore(messages) {
      history = messages;
      selection.reset();
      lastSession = undefined;
    },
    async say(messages, { signal, onEvent, onUsage, onAbsent }) {
      const model = await models.current(signal);
      const found = await findReadyServers(host, { withinMs: waitMs, late, signal });
      const { servers: ready = [], bundles } = selection.sessionOptions(found.ready);
      const absent = found.absent.filter(({ name }) => selection.isOn(name));
      if (absent.length > 0) onAbsent?.(absent);
      const session = host.session({
        servers: ready,
        ...(bundles && { bundles }),
        mode: "auto",
        continues: lastSession,
        approval: "ask-writes", // the model decides what to call, not the user
      });
      lastSession = session;
      try {
        await session.tools();
        const [{ runTurn }, { instructionsFor }] = await Promise.all([
          import("./run-turn.lazy.ts"),
          import("./instructions.lazy.ts"),
        ]);
        const said = [...history, ...messages];
        const turn = await runTurn({
          model,
          messages: said,
          instructions: await instructionsFor(session, ready, folder),
          session,
          signal,
          onEvent,
          onUsage,
          ...(retries !== undefined && { retries }),
          ...(steps !== undefined && { steps }),
        });
        // If the turn failed without an answer, drop the messages, so that the user can send them again.
        const isLost = turn.end.kind === "failed" && turn.messages.length === 0;
        if (!isLost) history = [...said, ...turn.messages];
        return turn.end;
      } finally {
        session.close();
      }
    },
  };
}
