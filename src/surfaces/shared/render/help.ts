import type { Command, CommandSet, Flag } from "../command.ts";
import { GLOBAL_FLAGS } from "../parse-words.ts";
import type { Style } from "./style.ts";
import { renderTable } from "./table.ts";

export function renderHelp(commands: readonly Command[], bare: Command, style: Style): string {
  return [
    "Plugboard finds the MCP servers on this machine, asks before running a project's servers, and calls their tools.",
    "",
    `${style.bold("Usage")}  plugboard [command] [options]`,
    "",
    "Without a command, Plugboard starts interactive mode. If there is no terminal, it connects to your servers and lists their tools.",
    "",
    style.bold("Commands"),
    ...renderCommands(commands),
    "",
    style.bold("Options without a command"),
    ...renderFlags(bare.flags),
    "",
    style.bold("Options for every command"),
    ...renderFlags(GLOBAL_FLAGS),
    "",
    "Run plugboard <command> --help for its options and examples.",
    "Exit codes: 0 success, 1 failure, 2 usage error, 3 user action required, 130 cancelled.",
  ].join("\n");
}

export function renderCommands(commands: readonly Command[]): string[] {
  return renderTable(
    commands.map(({ name, parameters, summary }) => [
      { text: `  ${name} ${parameters}`.trimEnd() },
      { text: summary },
    ]),
  );
}

/** Renders the help of one command. Notes and examples are written for `plugboard`, which is replaced by `program`. */
export function renderCommandHelp(
  { name, parameters, notes = [], summary, flags, examples }: Command,
  style: Style,
  { program, flags: everywhere }: Pick<CommandSet, "program" | "flags">,
): string {
  const typed = (text: string): string => text.replaceAll("plugboard ", `${program} `);
  const usable = examples.filter((example) => program === "plugboard" || example.startsWith("plugboard "));
  return [
    summary,
    "",
    `${style.bold("Usage")}  ${[program, name, parameters].filter(Boolean).join(" ")}`,
    ...notes.map((note) => `  ${typed(note)}`),
    ...(Object.keys(flags).length === 0 ? [] : ["", style.bold("Options"), ...renderFlags(flags)]),
    "",
    style.bold("Options for every command"),
    ...renderFlags(everywhere),
    "",
    style.bold(usable.length === 1 ? "Example" : "Examples"),
    ...usable.map((example) => `  ${typed(example)}`),
  ].join("\n");
}

function renderFlags(flags: Readonly<Record<string, Flag>>): string[] {
  return renderTable(
    Object.entries(flags).map(([name, { short, value, summary }]) => [
      { text: `  ${[short && `-${short},`, `--${name}`, value].filter(Boolean).join(" ")}` },
      { text: summary },
    ]),
  );
}
