import { readFileSync } from "node:fs";
import type { Host } from "../../src/index.ts";
import { messageOf } from "../../src/model/index.ts";
import { COMMANDS } from "../../src/surfaces/cli/commands/index.ts";
import { overview } from "../../src/surfaces/cli/commands/overview.ts";
import type { CommandSet } from "../../src/surfaces/shared/command.ts";
import { find } from "../../src/surfaces/shared/dispatch.ts";
import { findWords, GLOBAL_FLAGS, parseWords } from "../../src/surfaces/shared/parse-words.ts";
import { usageError } from "../../src/surfaces/shared/usage-error.ts";
import type { Dialogs } from "../../src/surfaces/tui/dialogs.ts";
import { createMcpCommands } from "../../src/surfaces/tui/mcp/mcp-commands.ts";
import { splitLine } from "../../src/surfaces/tui/split-line.ts";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const NPM_ITSELF = ["ci", "install", "link", "pack", "start", "test", "uninstall"];

const commandLine: CommandSet = {
  program: "plugboard",
  commands: COMMANDS,
  flags: GLOBAL_FLAGS,
  bare: overview,
  renderHelp: async () => "",
  unknown: (name) => usageError(`Unknown command: ${name}`),
};
// The commands are only parsed here, never run.
const nothing = {} as unknown;
const slashMcp = createMcpCommands({
  host: nothing as Host,
  dialogs: nothing as Dialogs,
  changes: { look: async () => () => {}, connect: () => {}, tells: () => false, settled: async () => {} },
  cwd: "/",
  openWizard: async () => {},
});

/** Returns the errors in a shell line. Every `plugboard` command in it must be complete and valid. */
export function wrongInLine(line: string): string[] {
  return commandsIn(line).flatMap((words) => wrongIn(words, { isWhole: true }));
}

/** Returns the errors in a code span, if it is a `plugboard` command. Arguments may be missing. */
export function wrongInSpan(code: string): string[] {
  if (!/^(?:plugboard|npx \.|\/mcp|npm run) [a-z-]/.test(code)) return [];
  return commandsIn(code.replace(/ …$/, "")).flatMap((words) => wrongIn(words, { isWhole: false }));
}

/** Splits a line into commands and words, without comments and redirections. */
function commandsIn(line: string): string[][] {
  const inner = /<\((.*)\)/.exec(line)?.[1];
  const commands: string[][] = [[]];
  const { words } = splitLine(inner ?? line);
  for (const [index, { text, start }] of words.entries()) {
    if ((inner ?? line).charAt(start) === "#") break;
    if (["|", "&&", ";"].includes(text)) commands.push([]);
    else if (!["<", ">"].includes(text) && !["<", ">"].includes(words[index - 1]?.text ?? ""))
      commands.at(-1)?.push(text);
  }
  return commands;
}

function wrongIn(words: readonly string[], { isWhole }: { readonly isWhole: boolean }): string[] {
  const [first, second, third = ""] = words;
  if (first === "npm") {
    const exists = second === "run" ? scripts[third] !== undefined : NPM_ITSELF.includes(second ?? "");
    return exists ? [] : [`${words.join(" ")}: no such script`];
  }
  if (first === "plugboard") return wrongUse(words.slice(1), commandLine, isWhole);
  if (first === "npx" && second === ".") return wrongUse(words.slice(2), commandLine, isWhole);
  return first === "/mcp" ? wrongUse(words.slice(1), slashMcp, isWhole) : [];
}

function wrongUse(given: readonly string[], vocabulary: CommandSet, isWhole: boolean): string[] {
  const { commands, bare, program } = vocabulary;
  const args = given[0] === "mcp" ? given.slice(1) : given;
  const [name] = findWords(args, [...commands, bare]).map(({ word }) => word);
  if (name === "help") return [];
  try {
    const command = name === undefined ? bare : find(name, vocabulary);
    const cut = command.takesRest === true ? args.indexOf("--") : -1;
    const { words, flags } = parseWords(command, cut === -1 ? args : args.slice(0, cut), vocabulary);
    const isTyped = command.takesTypedServer === true && (flags["url"] !== undefined || cut !== -1);
    const count = words.length - (name === undefined ? 0 : 1) + (isTyped ? 1 : 0); // a typed server counts
    const fits = count <= command.words.most && (!isWhole || count >= command.words.least);
    return fits ? [] : [`${program} ${given.join(" ")}: wrong number of arguments`];
  } catch (error) {
    const isLeftOut = !isWhole && messageOf(error).startsWith("Missing value");
    return isLeftOut ? [] : [`${program} ${given.join(" ")}: ${messageOf(error)}`];
  }
}
