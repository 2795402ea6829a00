import type { ModelMessage } from "ai";
import { type Host, HostError, type ServerPrompt } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { quoteWord } from "../../shared/shell-word.ts";
import type { Completions, LineHandler } from "../line-handler.ts";
import type { Screen } from "../screen.ts";
import { type LineWord, splitLine } from "../split-line.ts";
import { isPromptLine, parsePromptLine } from "./prompt-line.ts";
import { toPromptMessages } from "./prompt-messages.ts";
import { safeItems } from "./safe-items.ts";

export interface PromptHandlerOptions {
  readonly host: Host;
  readonly screen: Screen;
  /** Adds messages to the conversation and requests the model's answer. */
  say(messages: readonly ModelMessage[], signal: AbortSignal): Promise<void>;
}

/** Handles `/<server>:<prompt> key=value …`, which runs a server's prompt. */
export function createPromptHandler({ host, screen, say }: PromptHandlerOptions): LineHandler {
  return {
    help: [["/<server>:<prompt> [key=value …]", "insert a server's prompt into the conversation"]],
    accepts: isPromptLine,
    async run(line, signal) {
      const { server, prompt: name, args: given } = parsePromptLine(line);
      const prompt = (await host.prompts.list(server)).find((candidate) => candidate.name === name);
      const args = prompt === undefined ? given : await askMissing(host, screen, prompt, given, signal);
      if (args === undefined) {
        screen.print(screen.style.dim("Nothing was sent."));
        return;
      }
      const messages = toPromptMessages(await host.prompts.get(server, name, args), server);
      if (messages.length === 0)
        throw new HostError(
          "PROMPT_UNKNOWN",
          `Prompt "${name}" of server "${server}" returned no messages.`,
          { server },
        );
      if (!signal.aborted) await say(messages, signal);
    },
    complete: (line, cursor) => completePrompt(host, line, cursor),
  };
}

/** Asks for the required arguments that the line does not contain. Resolves with `undefined` if the user cancels. */
async function askMissing(
  host: Host,
  { dialogs }: Screen,
  prompt: ServerPrompt,
  given: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | undefined> {
  const missing = prompt.arguments.filter(({ name, required }) => required && given[name] === undefined);
  const args: Record<string, string> = { ...given };
  for (let index = 0; index < missing.length; ) {
    const argument = missing[index];
    if (argument === undefined) break;
    const { name, description } = argument;
    const known = Object.fromEntries(Object.entries(args).filter(([key]) => key !== name));
    const answer = await dialogs.askText({
      title: `${safeLine(prompt.server)} · ${safeLine(prompt.name)}: ${safeLine(name)}`,
      ...(description !== undefined && { lines: [safeLine(description)] }),
      initial: args[name] ?? "",
      canGoBack: index > 0,
      signal,
      check: (text) => (text.trim() === "" ? "A value is required." : undefined),
      complete: async (value) => valuesFor(host, prompt, { name, value, known }),
    });
    if (answer.kind === "cancel") return undefined;
    if (answer.kind === "value") args[name] = answer.value;
    index += answer.kind === "value" ? 1 : -1;
  }
  return args;
}

interface Asked {
  readonly name: string;
  readonly value: string;
  readonly known: Readonly<Record<string, string>>;
}

async function valuesFor(
  host: Host,
  { server, name: prompt }: ServerPrompt,
  asked: Asked,
): Promise<readonly string[]> {
  const { values } = await host.prompts.complete(server, prompt, asked).catch(() => ({ values: [] }));
  return safeItems(values.map((text) => ({ text }))).map(({ text }) => text);
}

/** Completes the name of a prompt, then argument names, then their values. */
async function completePrompt(host: Host, line: string, cursor: number): Promise<Completions | undefined> {
  const typed = line.slice(0, cursor);
  if (!typed.startsWith("/")) return undefined;
  const connected = host.servers().filter(({ state }) => state === "connected" || state === "idle");
  const usable = new Set(connected.map(({ name }) => name));
  const prompts = (await host.prompts.list(undefined, { connect: false })).filter(({ server }) =>
    usable.has(server),
  );
  const { words } = splitLine(typed);
  const [head] = words;
  const isFirst = head === undefined || head.end === typed.length;
  const nameOf = ({ server, name }: ServerPrompt): string => `/${server}:${name}`;
  if (isFirst) {
    const items = safeItems(
      prompts
        .filter((prompt) => nameOf(prompt).startsWith(typed) && !/\s/.test(nameOf(prompt)))
        .map((prompt) => ({ text: nameOf(prompt), note: prompt.description ?? prompt.title ?? "" })),
    );
    return items.length === 0 ? undefined : { from: 0, items };
  }
  const prompt = prompts.find((candidate) => nameOf(candidate) === head.text);
  if (prompt === undefined) return undefined;
  return completeArgument(host, prompt, typed, words.slice(1));
}

async function completeArgument(
  host: Host,
  prompt: ServerPrompt,
  typed: string,
  words: readonly LineWord[],
): Promise<Completions | undefined> {
  const last = words.at(-1)?.end === typed.length ? words.at(-1) : undefined;
  const others = last === undefined ? words : words.slice(0, -1);
  const known = Object.fromEntries(
    others.flatMap(({ text }) =>
      text.includes("=") ? [text.split(/=(.*)/s).slice(0, 2) as [string, string]] : [],
    ),
  );
  const [key = "", value] = (last?.text ?? "").split(/=(.*)/s);
  const from = last?.start ?? typed.length;
  if (value === undefined) {
    const items = safeItems(
      prompt.arguments
        .filter(({ name }) => name.startsWith(key) && !Object.hasOwn(known, name))
        .map(({ name, description = "", required }) => ({
          text: `${name}=`,
          note: [required ? "required" : "", description].filter(Boolean).join(", "),
        })),
    );
    return items.length === 0 ? undefined : { from, items };
  }
  const { state } = host.servers().find(({ name }) => name === prompt.server) ?? {};
  if (state !== "connected") return undefined; // connecting could open a browser for sign-in
  const values = await valuesFor(host, prompt, { name: key, value, known });
  return values.length === 0
    ? undefined
    : { from, items: values.map((text) => ({ text: `${key}=${quoteWord(text)}` })) };
}
