import type { Command, CommandSet, Flag } from "../command.ts";
import type { Style } from "./style.ts";
import { displayWidth } from "./table.ts";
import { wrapIndented, wrapShellLine, wrapWords } from "./wrap-words.ts";

/** Renders the help of one command. Notes and examples are written for `plugboard`, which is replaced by `program`. */
export function renderCommandHelp(
  { name, parameters, notes = [], summary, flags, examples }: Command,
  style: Style,
  { program, flags: everywhere }: Pick<CommandSet, "program" | "flags">,
  columns: number,
): string {
  const typed = (text: string): string => text.replaceAll("plugboard ", `${program} `);
  const usable = examples.filter((example) => program === "plugboard" || example.startsWith("plugboard "));
  return [
    ...wrapWords(summary, columns),
    "",
    ...renderUsage([program, name, parameters].filter(Boolean).join(" "), style, columns),
    ...notes.flatMap((note) => renderNote(typed(note), columns)),
    ...(Object.keys(flags).length === 0 ? [] : ["", style.bold("Options"), ...renderFlags(flags, columns)]),
    "",
    style.bold("Options for every command"),
    ...renderFlags(everywhere, columns),
    "",
    style.bold(usable.length === 1 ? "Example" : "Examples"),
    ...usable.flatMap((example) => wrapShellLine(typed(example), columns, 2)),
  ].join("\n");
}

function renderUsage(usage: string, style: Style, columns: number): string[] {
  const [first = "", ...rest] = wrapWords(usage, Math.max(20, columns - 7));
  return [`${style.bold("Usage")}  ${first}`, ...rest.map((row) => `       ${row}`)];
}

/** A note may be a term and its meaning, separated by several spaces. */
export function renderNote(note: string, columns: number): string[] {
  const [, term, gap, meaning] = /^(\S+(?: \S+)*)(\s{2,})(.*)$/s.exec(note) ?? [];
  if (term === undefined || gap === undefined || meaning === undefined) return wrapIndented(note, columns, 2);
  return renderPair(
    `  ${term}`,
    meaning,
    Math.min(term.length + gap.length, Math.floor(columns / 2)),
    columns,
  );
}

export function renderFlags(flags: Readonly<Record<string, Flag>>, columns: number): string[] {
  const rows = Object.entries(flags).map(([name, { short, value, summary }]) => ({
    left: `  ${[short && `-${short},`, `--${name}`, value].filter(Boolean).join(" ")}`,
    summary,
  }));
  const longest = Math.max(0, ...rows.map(({ left }) => displayWidth(left)));
  const width = Math.min(longest, Math.floor(columns / 2));
  return rows.flatMap(({ left, summary }) => renderPair(left, summary, width, columns));
}

/** Renders a term and its wrapped meaning beside it, or below it if the term is too long. */
function renderPair(left: string, right: string, width: number, columns: number): string[] {
  const rows = wrapWords(right, Math.max(16, columns - width - 2));
  const margin = " ".repeat(width + 2);
  if (displayWidth(left) > width) return [left, ...rows.map((row) => `${margin}${row}`)];
  const [first = "", ...rest] = rows;
  return [
    `${left}${" ".repeat(width - displayWidth(left))}  ${first}`.trimEnd(),
    ...rest.map((row) => `${margin}${row}`),
  ];
}
