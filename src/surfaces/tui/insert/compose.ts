import type { ModelMessage } from "ai";
import type { Host } from "../../../index.ts";
import { withMentions } from "./mentions.ts";
import { isPromptLine, parsePromptLine } from "./prompt-line.ts";
import { toPromptMessages } from "./prompt-messages.ts";

/** Converts a line to messages: a server's prompt, or the text with its mentioned resources. */
export async function compose(host: Host, line: string, signal: AbortSignal): Promise<ModelMessage[]> {
  if (!isPromptLine(line)) return [await withMentions(host, line, signal)];
  const { server, prompt, args } = parsePromptLine(line);
  return toPromptMessages(await host.prompts.get(server, prompt, args), server);
}
