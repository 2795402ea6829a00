import type { ModelMessage } from "ai";
import { type Host, isHostError, messageOf } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { count } from "../../shared/render/server-list.ts";
import { shortNumber } from "../../shared/render/short-number.ts";
import { renderTable } from "../../shared/render/table.ts";
import { completeMention } from "../insert/complete-mention.ts";
import { withMentions } from "../insert/mentions.ts";
import { createProjectFiles } from "../insert/project-files.ts";
import type { Completions, LineHandler } from "../line-handler.ts";
import type { Screen } from "../screen.ts";
import { type Conversation, createConversation } from "./conversation.ts";
import { type KeptConversation, keepConversation } from "./keep/kept-conversation.ts";
import { NO_MODEL } from "./models/choose-model.ts";
import type { Models } from "./models/models.ts";
import { describeAbsence } from "./show/describe-absence.ts";
import { createTurnDisplay } from "./show/turn-display.ts";
import { createTokenCount, type TokenCount } from "./token-count.ts";

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
  readonly kept: KeptConversation;
  readonly tokens: TokenCount;
  /** Sends messages to the model and shows the answer. */
  say(messages: readonly ModelMessage[], signal: AbortSignal): Promise<void>;
  /** Resolves when the running turn has ended and the conversation is saved. */
  settled(): Promise<void>;
}

export function createChat({ host, screen, models, folder }: ChatOptions): Chat {
  const conversation = createConversation({ host, models, folder, waitMs: WAIT_MS });
  const kept = keepConversation(host, conversation, folder);
  const tokens = createTokenCount();
  /** Servers that were already reported as not ready. */
  const reported = new Set<string>();
  const sendNow: Chat["say"] = async (messages, signal) => {
    const { name } = await models.current(signal);
    screen.setAside(name);
    const display = createTurnDisplay(screen, name);
    const showFacts = followTurn(screen, name, tokens);
    const end = await conversation
      .say(messages, {
        signal,
        onEvent: display.tell,
        onUsage: (usage) => tokens.add(name, usage),
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
      })
      .finally(showFacts);
    display.end(end);
    await kept.save(name);
  };
  let running: Promise<unknown> = Promise.resolve();
  return {
    conversation,
    kept,
    tokens,
    say(messages, signal) {
      const sending = sendNow(messages, signal);
      running = sending.catch(() => undefined); // the caller handles the error
      return sending;
    },
    settled: async () => void (await running),
  };
}

/** How often the elapsed time is shown. */
const TICK_MS = 1_000;

/** Shows the running turn's elapsed time and token count in the status line. Returns a function that stops the updates after showing the final values. */
function followTurn(screen: Screen, model: string, tokens: TokenCount): () => void {
  const startedAt = performance.now();
  tokens.startTurn();
  const show = (): void => {
    const seconds = Math.max(1, Math.round((performance.now() - startedAt) / 1_000));
    const { input, output } = tokens.turn();
    const used = input + output === 0 ? "" : ` · ${shortNumber(input)} in · ${shortNumber(output)} out`;
    screen.setAside(`${model} · ${seconds} s${used}`, `${seconds} s${used}`, `${seconds} s`);
  };
  const timer = setInterval(show, TICK_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    show();
  };
}

/** Handles lines that do not start with `/`: sends them to the model. */
export function createChatHandler({ host, folder }: ChatOptions, chat: Chat): LineHandler {
  const files = createProjectFiles(folder);
  return {
    help: [["<anything>", "send it to the model; @<path> inserts a file, @<server>:<uri> a resource"]],
    accepts: (line) => !/^[/!]/.test(line) && line.trim() !== "",
    async run(line, signal) {
      await chat.say([await withMentions(host, line, signal, files)], signal);
    },
    complete: (line, cursor, signal) => completeMention({ host, files }, line, cursor, signal),
  };
}

/** Handles `/model`, `/new` and `/cost`. */
export function createModelHandler({ host, screen, models }: ChatOptions, chat: Chat): LineHandler {
  const { style } = screen;
  /** Uses the model now and in later runs. */
  const useModel = async (name: string, signal: AbortSignal): Promise<void> => {
    const { name: used } = await models.use(name, signal);
    screen.setAside(used);
    screen.print(`${style.good("✓")} Using ${safeLine(used)}.`);
    await host.config.rememberModel(used).then(
      () =>
        screen.print(
          style.dim("It is your default model now. For one run: plugboard --model <provider>/<model>"),
        ),
      (error: unknown) => screen.print(`${style.warn("!")} ${safeLine(messageOf(error))}`),
    );
  };
  return {
    help: [
      ["/model [<provider>/<model>]", "choose the model; it is remembered"],
      ["/new", "start a new conversation"],
      ["/cost", "show the tokens that this session used"],
    ],
    accepts: (line) => /^\/(?:model|new|cost)(?:\s|$)/.test(line),
    async run(line, signal) {
      const [word = "", name] = line.trim().split(/\s+/);
      if (word === "/new") {
        chat.kept.startNew();
        screen.print(style.dim("Started a new conversation."));
        return;
      }
      if (word === "/cost") return screen.print(renderCost(chat.tokens));
      if (name !== undefined) return useModel(name, signal);
      const [current, offered] = await Promise.all([
        models.current(signal).then(({ name: used }) => used, describeFailure),
        models.offered(signal),
      ]);
      if (offered.length === 0) {
        screen.print([safeLine(current), ...(await choices(models, screen))].join("\n"));
        return;
      }
      const answer = await screen.dialogs.choose({
        title: "Which model?",
        lines: [`Now: ${current.startsWith(NO_MODEL) ? "none" : safeLine(current)}`],
        choices: offered.map((model) => ({
          value: model.name,
          label: model.name,
          ...(model.isLocal && { note: "on this machine" }),
        })),
        initial: current,
        signal,
      });
      if (answer.kind === "value") await useModel(answer.value, signal);
    },
    async complete(line, cursor): Promise<Completions | undefined> {
      const typed = /^\/model\s+(\S*)$/.exec(line.slice(0, cursor))?.[1];
      if (typed === undefined) return undefined;
      const items = (await models.suggestions()).filter(({ text }) => text.startsWith(typed));
      return items.length === 0 ? undefined : { from: cursor - typed.length, items };
    },
  };
}

function renderCost(tokens: TokenCount): string {
  const rows = [...tokens.totals()].map(([model, { requests, input, output }]) =>
    [safeLine(model), count(requests, "request"), `${input} input tokens`, `${output} output tokens`].map(
      (text) => ({ text }),
    ),
  );
  return rows.length === 0 ? "No tokens were reported yet." : renderTable(rows).join("\n");
}

/** Returns the error message if no model is configured. The choices below it explain what to do. */
function describeFailure(error: unknown): string {
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
