import type { ContentPart, PromptResult } from "../../../index.ts";
import { safeText } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../command.ts";
import { repeated, splitWord } from "../input/call-arguments.ts";
import { readText } from "../input/read-text.ts";
import { describeSize } from "../render/describe-size.ts";
import { usageError } from "../usage-error.ts";

/** Runs `plugboard prompt`. */
export async function showPrompt(context: CommandContext): Promise<ExitCode> {
  const [server = "", prompt = "", ...words] = context.words;
  const given = await Promise.all(words.map(readArgument));
  const args = Object.fromEntries(given);
  const twice = given.find(([key], index) => given.findIndex(([other]) => other === key) < index);
  if (twice !== undefined) throw repeated(twice[0]);
  const host = await context.openHost({ daemon: "auto", demo: server === "demo" });
  const result = await host.prompts.get(server, prompt, args);
  if (context.json) context.printJson(result);
  else context.terminal.out(render(result, context));
  return 0;
}

/** Parses one prompt argument. Prompt arguments are always strings. */
async function readArgument(word: string): Promise<[string, string]> {
  if (/^[^=]*:=/.test(word) || !word.includes("="))
    throw usageError(`"${word}" is not a prompt argument.`, "Write key=value or key=@file.");
  const { key, value, kind } = splitWord(word);
  return [key, kind === "file" ? await readText(value) : value];
}

/** Renders each message below its role. */
function render({ messages }: PromptResult, { style, terminal }: CommandContext): string {
  const blocks = messages.map(({ role, content }) => {
    const text = describe(content);
    return `${style.bold(`[${role}]`)}\n${terminal.outIsTty ? safeText(text) : text}`;
  });
  return `${blocks.join("\n\n")}\n`;
}

function describe(part: ContentPart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
    case "audio":
      return `[${part.type}: ${part.mimeType}, ${sizeOf(part.data)}]`;
    case "resource_link":
      return `[resource link: ${part.name} <${part.uri}>]`;
    case "resource":
      return part.text ?? `[resource: ${part.uri}, ${part.mimeType ?? "bytes"}, ${sizeOf(part.blob ?? "")}]`;
  }
}

function sizeOf(base64: string): string {
  return describeSize(Buffer.from(base64, "base64").length);
}
