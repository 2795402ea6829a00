import { HostError } from "../../../index.ts";
import { splitLine } from "../split-line.ts";

/** A parsed line `/<server>:<prompt> key=value …`. */
export interface PromptLine {
  readonly server: string;
  readonly prompt: string;
  readonly args: Readonly<Record<string, string>>;
}

export function isPromptLine(line: string): boolean {
  return /^\/[^\s:]+:\S/.test(line);
}

export function parsePromptLine(line: string): PromptLine {
  const [head, ...words] = splitLine(line).words;
  const [server = "", prompt = ""] = (head?.text ?? "").slice(1).split(/:(.*)/s);
  const args = words.map(({ text }) => {
    const [key = "", value] = text.split(/=(.*)/s);
    if (key === "" || value === undefined)
      throw new HostError("PROMPT_ARGUMENTS_INVALID", `"${text}" is not a prompt argument.`, {
        hint: 'Write key=value, or key="several words".',
      });
    return [key, value] as const;
  });
  return { server, prompt, args: Object.fromEntries(args) };
}
