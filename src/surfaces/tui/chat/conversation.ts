import type { ModelMessage } from "ai";
import type { Host, Session } from "../../../index.ts";
import type { ChatEvent, TurnEnd } from "./chat-event.ts";
import type { Models } from "./models/models.ts";
import { type AbsentServer, findReadyServers } from "./ready-servers.ts";

export interface ConversationOptions {
  readonly host: Host;
  readonly models: Models;
  readonly folder: string;
  /** How long a turn waits to learn what servers offer that nothing is known of. */
  readonly waitMs: number;
  readonly retries?: number;
  readonly steps?: number;
}

export interface SayOptions {
  readonly signal: AbortSignal;
  readonly onEvent: (event: ChatEvent) => void;
  /** Told before the model speaks: the servers that have no part in it. */
  readonly onAbsent?: (servers: readonly AbsentServer[]) => void;
}

/** What was said so far, and the next turn. */
export interface Conversation {
  /** Says something and lets the model answer. Rejects when there is no model; a turn that fails is told in its end. */
  say(messages: readonly ModelMessage[], options: SayOptions): Promise<TurnEnd>;
  /** Forgets everything. */
  clear(): void;
  readonly messages: readonly ModelMessage[];
}

export function createConversation(options: ConversationOptions): Conversation {
  const { host, models, folder, waitMs, retries, steps } = options;
  let history: readonly ModelMessage[] = [];
  const late = new Set<string>();
  let lastSession: Session | undefined;
  return {
    get messages() {
      return history;
    },
    clear() {
      history = [];
      lastSession = undefined;
    },
    async say(messages, { signal, onEvent, onAbsent }) {
      const model = await models.current(signal);
      const { ready, absent } = await findReadyServers(host, { withinMs: waitMs, late, signal });
      if (absent.length > 0) onAbsent?.(absent);
      const session = host.session({ servers: ready, mode: "auto", continues: lastSession });
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
          ...(retries !== undefined && { retries }),
          ...(steps !== undefined && { steps }),
        });
        // What could not be answered at all is not kept, so that it can be said again.
        const isLost = turn.end.kind === "failed" && turn.messages.length === 0;
        if (!isLost) history = [...said, ...turn.messages];
        return turn.end;
      } finally {
        session.close();
      }
    },
  };
}
