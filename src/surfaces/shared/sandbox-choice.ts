import type { JsonValue } from "../../index.ts";
import type { CommandContext, Flag, FlagValue } from "./command.ts";
import { usageError } from "./usage-error.ts";

export const SANDBOX_FLAG: Flag = {
  type: "string",
  value: "on|network|off",
  summary: "run it sandboxed, sandboxed with full network, or not sandboxed",
};

const WORDS: Readonly<Record<string, JsonValue>> = { on: true, network: { network: "full" }, off: false };

/** Returns what an entry writes for `on`, `network` or `off`. */
export function sandboxOf(word: string): JsonValue | undefined {
  return Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
}

/** Returns the chosen sandbox as an entry writes it. */
export function readSandbox(value: FlagValue): JsonValue | undefined {
  if (value === undefined) return undefined;
  const chosen = typeof value === "string" ? sandboxOf(value) : undefined;
  if (chosen === undefined) throw usageError("Invalid --sandbox value. Use on, network or off.");
  return chosen;
}

/** Names a choice in a few words. */
export function describeChoice(sandbox: JsonValue): string {
  if (sandbox === false) return "not sandboxed";
  if (sandbox === true) return "sandboxed";
  const isOpen = JSON.stringify(sandbox) === JSON.stringify(WORDS["network"]);
  return isOpen ? "sandboxed with full network" : "sandboxed as before";
}

/**
 * Asks a question with yes for an answer and, if there are several sandboxes, for one of them. Returns its index, `false` for no, or
 * `undefined` if the person cannot answer.
 */
export async function askWithChoices(
  { terminal, signal }: Pick<CommandContext, "terminal" | "signal">,
  question: string,
  choices: readonly { readonly sandbox: JsonValue }[],
): Promise<number | false | undefined> {
  if (choices.length < 2) {
    const answer = await terminal.confirm(question);
    return answer === true ? 0 : answer;
  }
  if (terminal.choose !== undefined)
    return terminal.choose(
      question,
      choices.map(({ sandbox }) => `Yes, ${describeChoice(sandbox)}`),
    );
  if (!terminal.canAnswer()) return undefined;
  const others = choices.slice(1).map((_, index) => index + 2);
  const line = await terminal.readLine(`${question} [y = 1, ${others.join(", ")}, N] `, signal);
  const answer = line?.trim().toLowerCase();
  if (answer === undefined) return false; // Ctrl-C or Ctrl-D
  const index = /^y(?:es)?$/.test(answer) ? 0 : Number(answer) - 1;
  return choices[index] === undefined ? false : index;
}
