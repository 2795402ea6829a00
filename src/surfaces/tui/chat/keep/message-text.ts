import type { ModelMessage } from "ai";

/** Returns the text of a message, without calls and their results. */
export function textOf({ content }: ModelMessage): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** Formats a conversation as Markdown. */
export function toMarkdown(messages: readonly ModelMessage[]): string {
  return `${messages.flatMap(renderMessage).join("\n\n")}\n`;
}

function renderMessage(message: ModelMessage): string[] {
  const { role, content } = message;
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  const blocks = parts.flatMap((part): string[] => {
    if (part.type === "text") return part.text.trim() === "" ? [] : [part.text.trim()];
    if (part.type === "tool-call") return [`**Call:** \`${part.toolName}\`\n\n${fenced(part.input, "json")}`];
    if (part.type === "tool-result")
      return [`**Result:** \`${part.toolName}\`\n\n${fenced(resultText(part.output), "")}`];
    return [];
  });
  if (blocks.length === 0) return [];
  return role === "user" || role === "assistant"
    ? [`## ${role === "user" ? "You" : "Model"}`, ...blocks]
    : blocks;
}

function resultText(output: unknown): string {
  const value = typeof output === "object" && output !== null && "value" in output ? output.value : output;
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}

/** Formats text as a code block. The fence is longer than any in the text, so that the text cannot end the block. */
function fenced(value: unknown, language: string): string {
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
