import { nearest, safeLine } from "../../../terminal.ts";
import { renderTable } from "../../shared/render/table.ts";
import type { Completions, LineHandler } from "../line-handler.ts";
import { wrap } from "../screen/wrap.ts";
import type { Screen } from "../screen.ts";

export interface ShellActions {
  clear(): void;
  leave(): void;
}

type Help = readonly [usage: string, summary: string];

const OWN: readonly Help[] = [
  ["/help", "show this help"],
  ["/clear", "clear the screen"],
  ["/quit", "quit; also Ctrl-D, or Ctrl-C twice"],
];
const KEYS: readonly Help[] = [
  ["Enter", "send; for a new line: Alt+Enter, Ctrl+J, or \\ then Enter"],
  ["Tab", "complete; ↑ ↓ to choose, Esc to close"],
  ["↑ ↓", "earlier lines that start like this one; in an empty line: edit the queued lines"],
  ["Esc", "cancel the running command, and edit the queued lines; Ctrl-C discards them"],
  ["Ctrl+O", "expand the last collapsed output"],
  ["Ctrl+A E W U K Y _", "Emacs editing keys; Ctrl+_ undoes"],
  ["Ctrl+Z", "suspend; fg resumes"],
];

/** Handles `/help`, `/clear` and `/quit`, and reports unknown commands. */
export function createShellLines(
  screen: Screen,
  others: readonly LineHandler[],
  { clear, leave }: ShellActions,
): LineHandler {
  const help = (): readonly Help[] => [...others.flatMap((other) => other.help ?? []), ...OWN];
  /** The command names with their summaries. If a command has several usages, the first summary is used. */
  const commands = (): ReadonlyMap<string, string> => {
    const known = new Map<string, string>();
    for (const [usage, summary] of help()) {
      const [word = ""] = usage.split(" ");
      if (/^\/[\w-]+$/.test(word) && !known.has(word)) known.set(word, summary);
    }
    return known;
  };
  const bindings: ReadonlyMap<string, () => void> = new Map([
    ["/help", () => screen.print(renderHelp(help(), screen))],
    ["/clear", clear],
    ["/quit", leave],
    ["/exit", leave],
  ]);
  return {
    accepts: (line) => {
      const [word = ""] = line.trim().split(/\s/);
      return bindings.has(word) || (word.startsWith("/") && !others.some((other) => other.accepts(line)));
    },
    async run(line) {
      const [word = ""] = line.trim().split(/\s/);
      const action = bindings.get(word);
      if (action !== undefined) return action();
      const close = nearest(word, [...commands().keys(), "/exit"]);
      const hint = close === undefined ? "See /help." : `Did you mean ${close}?`;
      screen.print(`${screen.style.bad("✗")} Unknown command: ${safeLine(word)}. ${screen.style.dim(hint)}`);
    },
    async complete(line, cursor): Promise<Completions | undefined> {
      const typed = line.slice(0, cursor);
      if (!/^\/\S*$/.test(typed)) return undefined;
      const items = [...commands()].filter(([text]) => text.startsWith(typed));
      return items.length === 0
        ? undefined
        : { from: 0, items: items.map(([text, note]) => ({ text, note })) };
    },
  };
}

function renderHelp(help: readonly Help[], { style, columns }: Screen): string {
  const table = (rows: readonly Help[]): string[] => {
    const indent = 4 + Math.max(...rows.map(([usage]) => usage.length));
    if (indent >= columns / 2)
      return rows.flatMap(([usage, summary]) => [
        `  ${usage}`,
        ...wrap(`    ${style.dim(summary)}`, columns, { indent: 4 }),
      ]);
    const cells = rows.map(([usage, summary]) => [
      { text: `  ${usage}` },
      { text: summary, paint: style.dim },
    ]);
    return renderTable(cells).flatMap((row) => wrap(row, columns, { indent }));
  };
  return [style.bold("Type"), ...table(help), "", style.bold("Keys"), ...table(KEYS)].join("\n");
}
