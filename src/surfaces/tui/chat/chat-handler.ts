import type { ModelMessage } from "ai";
import { type Host, isHostError } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { renderTable } from "../../shared/render/table.ts";
import { completeMention } from "../insert/complete-mention.ts";
import { withMentions } from "../insert/mentions.ts";
import type { Completions, LineHandler } from "../line-handler.ts";
import type { Screen } from "../screen.ts";
import { type Conversation, createConversation } from "./conversation.ts";
import type { Models } from "./models/models.ts";
import { describeAbsence } from "./show/describe-absence.ts";
import { createTurnDisplay } from "./show/turn-display.ts";

/** How long a turn waits for servers whose tools are not known yet. */
const WAIT_MS = 5_000;

export interface ChatOptions {
  readonly host: Host;
  readonly screen: Screen;
  readonly models: Models;
  readonly folder: string;
}

/** A conversation that is shown on the screen. */
export interface Chat {
  readonly conversation: Conversation;
  /** Sends messages to the model and shows the answer. */
  say(messages: readonly ModelMessage[], signal: AbortSignal): Promise<void>;
}

export function createChat({ host, screen, models, folder }: ChatOptions): Chat {
  const conversation = createConversation({ host, models, folder, waitMs: WAIT_MS });
  /** Servers that were already reported as not ready. */
  const reported = new Set<string>();
  return {
    conversation,
    async say(messages, signal) {
      const { name } = await models.current(signal);
      screen.setAside(name);
      const display = createTurnDisplay(screen, name);
      const end = await conversation
        .say(messages, {
          signal,
          onEvent: display.tell,
          onAbsent(servers) {
            for (const server of servers.filter(({ name }) => !reported.has(name))) {
              reported.add(server.name);
              // Other states were already announced when they changed.
              if (/^(?:idle|connecting|reconnecting)$/.test(server.state))
                screen.print(`${screen.style.warn("!")} ${describeAbsence(server, "/mcp")}`);
            }
          },
        })
        .catch((error: unknown) => {
          display.end({ kind: "done" });
          throw error;
        });
      display.end(end);
    },
  };
}

/** Handles lines that do not start with `/`: sends them to the model. */
export function createChatHandler({ host }: ChatOptions, chat: Chat): LineHandler {
  return {
    help: [["<anything>", "send it to the model; @<server>:<uri> inserts a resource"]],
    accepts: (line) => !line.startsWith("/") && line.trim() !== "",
    async run(line, signal) {
      await chat.say([await withMentions(host, line, signal)], signal);
    },
    complete: (line, cursor, signal) => completeMention(host, line, cursor, signal),
  };
}

/** Handles `/model` and `/new`. */
export function createModelHandler({ screen, models }: ChatOptions, chat: Chat): LineHandler {
  const { style } = screen;
  return {
    help: [
      ["/model [<provider>/<model>]", "show or change the model"],
      ["/new", "start a new conversation"],
    ],
    accepts: (line) => /^\/(?:model|new)(?:\s|$)/.test(line),
    async run(line, signal) {
      const [word = "", name] = line.trim().split(/\s+/);
      if (word === "/new") {
        chat.conversation.clear();
        screen.print(style.dim("Started a new conversation."));
        return;
      }
      if (name !== undefined) {
        const { name: used } = await models.use(name, signal);
        screen.setAside(used);
        screen.print(`${style.good("✓")} Using ${safeLine(used)}.`);
        return;
      }
      const current = await models.current(signal).then(({ name: used }) => used, troubleOf);
      screen.print([safeLine(current), ...(await choices(models, screen))].join("\n"));
    },
    async complete(line, cursor): Promise<Completions | undefined> {
      const typed = /^\/model\s+(\S*)$/.exec(line.slice(0, cursor))?.[1];
      if (typed === undefined) return undefined;
      const items = (await models.suggestions()).filter(({ text }) => text.startsWith(typed));
      return items.length === 0 ? undefined : { from: cursor - typed.length, items };
    },
  };
}

/** Returns the error message if no model is configured. The choices below it explain what to do. */
function troubleOf(error: unknown): string {
  if (isHostError(error) && error.code === "MODEL_UNKNOWN") return error.message;
  throw error;
}

async function choices(models: Models, { style }: Screen): Promise<string[]> {
  const suggestions = await models.suggestions();
  return renderTable(
    suggestions.map(({ text, note, isReady }) => [
      { text: `  ${text}`, ...(!isReady && { paint: style.dim }) },
      { text: note, paint: isReady ? style.good : style.dim },
    ]),
  );
}
