import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { ModelMessage } from "ai";
import { type ConversationInfo, codeOf, type Host } from "../../../../index.ts";
import { safeLine, safeText, truncate } from "../../../../terminal.ts";
import { localTime } from "../../../shared/render/local-time.ts";
import { renderPlace } from "../../../shared/render/place.ts";
import { count } from "../../../shared/render/server-list.ts";
import { usageError } from "../../../shared/usage-error.ts";
import type { LineHandler } from "../../line-handler.ts";
import type { Screen } from "../../screen.ts";
import { lineWords } from "../../split-line.ts";
import type { Conversation } from "../conversation.ts";
import { type KeptConversation, toJson } from "./kept-conversation.ts";
import { textOf, toMarkdown } from "./message-text.ts";

const MOST_CHOICES = 30;
/** How much of a resumed conversation is shown. */
const SHOWN_MESSAGES = 6;
const SHOWN_ROWS = 8;

export interface HistoryOptions {
  readonly host: Host;
  readonly screen: Screen;
  readonly folder: string;
  readonly conversation: Conversation;
  readonly kept: KeptConversation;
}

/** Handles `/history` and `/export`. */
export function createHistoryHandler(options: HistoryOptions): LineHandler {
  const { host, screen, folder, conversation } = options;
  return {
    help: [
      ["/history", "continue an earlier conversation of this folder"],
      ["/history clear", "delete all kept conversations"],
      ["/export [<file>]", "write this conversation to a Markdown file"],
    ],
    accepts: (line) => /^\/(?:history|resume|export)(?:\s|$)/.test(line),
    async run(line, signal) {
      const [word, argument] = lineWords(line);
      if (word === "/export") {
        if (conversation.messages.length === 0) throw usageError("There is nothing to export yet.");
        const messages = host.conversations.mask(toJson(conversation.messages)) as unknown as ModelMessage[];
        const file = await writeNew(resolve(folder, argument ?? defaultName()), toMarkdown(messages));
        screen.print(
          `${screen.style.good("✓")} Wrote ${renderPlace({ file }, { home: "", cwd: folder, program: "" })}.`,
        );
      } else if (argument === "clear") await clearHistory(options, signal);
      else if (argument === undefined) await chooseConversation(options, signal);
      else throw usageError(`Unexpected argument: ${argument}`, "Usage: /history, or /history clear");
    },
    async complete(line, cursor) {
      const typed = /^\/history\s+(\S*)$/.exec(line.slice(0, cursor))?.[1];
      return typed !== undefined && "clear".startsWith(typed)
        ? { from: cursor - typed.length, items: [{ text: "clear", note: "delete all kept conversations" }] }
        : undefined;
    },
  };
}

/** Lets the user choose a conversation to continue. */
export async function chooseConversation(
  { host, screen, conversation, kept }: HistoryOptions,
  signal: AbortSignal,
): Promise<void> {
  const found = (await kept.earlier()).slice(0, MOST_CHOICES);
  if (found.length === 0) {
    const isOff = !host.config.settings().keepConversations;
    screen.print(
      isOff
        ? 'Conversations are not kept: "keepConversations" is false in the settings.'
        : "There is no earlier conversation in this folder.",
    );
    return;
  }
  const answer = await screen.dialogs.choose({
    title: "Continue which conversation?",
    choices: found.map((info) => ({ value: info.id, label: labelOf(info), note: noteOf(info) })),
    signal,
  });
  if (answer.kind !== "value" || !(await kept.resume(answer.value))) return;
  showResumed(screen, conversation);
}

/** Shows the end of a conversation that continues. */
export function showResumed(screen: Screen, { messages }: Conversation): void {
  const { style } = screen;
  const visible = messages.filter((message) => message.role !== "tool" && textOf(message).trim() !== "");
  for (const message of visible.slice(-SHOWN_MESSAGES)) {
    const text = safeText(textOf(message).trim());
    const shown = message.role === "user" ? `\n${style.name("›")} ${style.bold(text)}` : text;
    screen.print(shown, { foldAfter: SHOWN_ROWS });
  }
  screen.print(
    style.dim(`Continuing a conversation of ${count(messages.length, "message")}. /new starts a new one.`),
  );
}

async function clearHistory({ host, screen }: HistoryOptions, signal: AbortSignal): Promise<void> {
  const answer = await screen.dialogs.choose({
    title: "Delete all kept conversations, of every folder?",
    choices: [
      { value: false, label: "No", key: "n" },
      { value: true, label: "Delete them", key: "d" },
    ],
    signal,
  });
  if (answer.kind !== "value" || !answer.value) return;
  const count = await host.conversations.clear();
  screen.print(
    `${screen.style.good("✓")} Deleted ${count} kept ${count === 1 ? "conversation" : "conversations"}.`,
  );
}

function labelOf({ title }: ConversationInfo): string {
  return truncate(safeLine(title), 60) || "(no text)";
}

function noteOf({ updatedAt, model }: ConversationInfo): string {
  return `${localTime(updatedAt).slice(0, 16)} · ${safeLine(model)}`;
}

function defaultName(): string {
  return `conversation-${new Date().toISOString().slice(0, 19).replaceAll(/\D/g, "")}.md`;
}

/** Never overwrites a file, because the name may be a typo. */
async function writeNew(file: string, text: string): Promise<string> {
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
    return file;
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw usageError(`${file} already exists.`, "Choose another name.");
    throw error;
  }
}
