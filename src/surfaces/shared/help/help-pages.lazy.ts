import { nearest } from "../../../terminal.ts";
import type { Command, CommandSet } from "../command.ts";
import { GLOBAL_FLAGS } from "../parse-words.ts";
import { renderFlags, renderNote } from "../render/help.ts";
import type { Style } from "../render/style.ts";
import { displayWidth } from "../render/table.ts";
import { wrapIndented, wrapShellLine, wrapWords } from "../render/wrap-words.ts";
import { COMMAND_GROUPS } from "./command-groups.ts";
import { HELP_TOPICS } from "./help-topics.ts";

/** Renders the overview of the command line: one line per command, by task. */
export function renderHelp(
  commands: readonly Command[],
  bare: Command,
  style: Style,
  columns: number,
): string {
  const wrapped = (text: string): string[] => wrapWords(text, columns);
  return [
    ...wrapped(
      "Plugboard finds the MCP servers on this machine, asks before running a project's servers, and calls their tools.",
    ),
    "",
    `${style.bold("Usage")}  plugboard [command] [options]`,
    "",
    ...wrapped(
      "Without a command, Plugboard starts interactive mode. If there is no terminal, it connects to your servers and lists their tools.",
    ),
    "",
    ...renderCommandList(commands, style),
    "",
    style.bold("Options without a command"),
    ...renderFlags(bare.flags, columns),
    "",
    style.bold("Options for every command"),
    ...renderFlags(GLOBAL_FLAGS, columns),
    "",
    style.bold("Help topics"),
    ...Object.entries(HELP_TOPICS).map(([name, { summary }]) => pad(name, summary)),
    "",
    ...wrapped(
      "plugboard help <command> shows its options and examples; plugboard help <topic> shows a topic.",
    ),
    ...wrapped("Exit codes: 0 success, 1 failure, 2 usage error, 3 user action required, 130 cancelled."),
  ].join("\n");
}

/** Renders one line per command, by task. */
export function renderCommandList(commands: readonly Command[], style: Style): string[] {
  return groupsOf(commands).flatMap(({ title, entries }, index) => [
    ...(index === 0 ? [] : [""]),
    style.bold(title),
    ...entries.map(([name, brief]) => pad(name, brief)),
  ]);
}

/** Renders the names of the commands by task, which fits a small terminal. */
export function renderCommandNames(commands: readonly Command[], style: Style, columns: number): string[] {
  return groupsOf(commands).flatMap(({ title, entries }) => [
    style.bold(title),
    ...wrapIndented(entries.map(([name]) => name).join("  "), columns, 2),
  ]);
}

/** Renders the page of a topic, or `undefined` if there is none. */
export function renderTopic(name: string, style: Style, columns: number): string | undefined {
  const topic = Object.hasOwn(HELP_TOPICS, name) ? HELP_TOPICS[name] : undefined;
  if (topic === undefined) return undefined;
  const given = topic.text.split("\n");
  const fits = given.every((line) => !line.startsWith("  ") || displayWidth(line) <= columns);
  const lines = given.flatMap((line) => {
    if (!line.startsWith("  ")) return wrapWords(line, columns);
    if (fits) return [line];
    return line.startsWith("  plugboard ")
      ? wrapShellLine(line.slice(2), columns, 2)
      : renderNote(line.slice(2), columns);
  });
  return [style.bold(`${name}: ${topic.summary}`), "", ...lines].join("\n");
}

/** Returns the command or topic with the most similar name. */
export function nearestPage(name: string, { commands }: CommandSet): string | undefined {
  return nearest(name, [...commands.map((command) => command.name), ...Object.keys(HELP_TOPICS)]);
}

interface Group {
  readonly title: string;
  readonly entries: readonly (readonly [name: string, brief: string])[];
}

/** Returns the groups with the commands of this surface. A command without a group is in the last one. */
function groupsOf(commands: readonly Command[]): Group[] {
  const grouped = new Set(COMMAND_GROUPS.flatMap((group) => Object.keys(group.commands)));
  const rest = commands
    .filter(({ name }) => !grouped.has(name))
    .map(({ name, summary }) => [name, summary] as const);
  return COMMAND_GROUPS.map(({ title, commands: briefs }, index) => ({
    title,
    entries: [
      ...Object.entries(briefs).filter(([name]) => commands.some((command) => command.name === name)),
      ...(index === COMMAND_GROUPS.length - 1 ? rest : []),
    ],
  })).filter(({ entries }) => entries.length > 0);
}

function pad(name: string, brief: string): string {
  return `  ${name.padEnd(10)}  ${brief}`;
}
