import type { Style } from "../../shared/render/style.ts";
import type { Choice } from "../dialogs.ts";
import { cleanText } from "./clean-text.ts";
import { type Key, keyLabel } from "./key.ts";
import { firstShown } from "./view.ts";
import { cut, lineWidth, wrap } from "./wrap.ts";

/** The parts that all questions share. */
export interface Asked {
  readonly title: string;
  readonly lines?: readonly string[];
  readonly canGoBack?: boolean;
}

/** Renders the title and the lines of a question, with an empty row below. */
export function questionRows({ title, lines = [] }: Asked, columns: number, style: Style): string[] {
  const heading = wrap(cleanText(title).replaceAll("\n", " "), columns - 2);
  const text = lines.flatMap((line) => wrap(cleanText(line), columns - 2));
  return [
    ...heading.map((row, index) => `${index === 0 ? style.name("? ") : "  "}${style.bold(row)}`),
    ...text.map((row) => `  ${row}`),
    ...(text.length > 0 ? [""] : []),
  ];
}

/** Renders the error message of an invalid answer. */
export function complaintRows(complaint: string | undefined, columns: number, style: Style): string[] {
  if (complaint === undefined) return [];
  return wrap(cleanText(complaint), columns - 2).map((row) => `  ${style.bad(row)}`);
}

/** Renders the key hints in one row. Drops hints from the left if the row is too narrow. */
export function hintRow(
  hints: readonly string[],
  { canGoBack }: Asked,
  columns: number,
  style: Style,
): string {
  const all = [...hints, ...(canGoBack === true ? ["Shift+Tab back"] : []), "Esc cancel"];
  while (all.length > 1 && lineWidth(`  ${all.join(" · ")}`) > columns) all.shift();
  return style.dim(cut(`  ${all.join(" · ")}`, columns));
}

/** Renders the choices around the selected one. `mark` returns the text before each choice. */
export function choiceRows(
  choices: readonly Choice<unknown>[],
  { marked, room, columns, style }: { marked: number; room: number; columns: number; style: Style },
  mark: (index: number) => string,
): string[] {
  const first = firstShown(choices.length, room, marked);
  const shown = choices.slice(first, first + room);
  const labels = shown.map(({ label }) => cleanText(label).replaceAll("\n", " "));
  const width = Math.min(Math.max(0, ...labels.map(lineWidth)), Math.floor(columns * 0.6));
  const rows = shown.map(({ note = "" }, index) => {
    const place = first + index;
    const label = labels[index] ?? "";
    const blanks = " ".repeat(note === "" ? 0 : Math.max(0, width - lineWidth(label)) + 2);
    const start = `${mark(place)}${label}`;
    const line = place === marked ? style.name(`› ${start}`) : `  ${start}`;
    return cut(`${line}${blanks}${style.dim(cleanText(note).replaceAll("\n", " "))}`, columns);
  });
  const more = choices.length - shown.length;
  return more > 0 ? [...rows, cut(style.dim(`  … ${more} more`), columns)] : rows;
}

/** Returns the new selection after a key, or `undefined` if the key does not move it. */
export function moveMark(key: Key, marked: number, length: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    up: (marked - 1 + length) % length,
    "ctrl+p": (marked - 1 + length) % length,
    down: (marked + 1) % length,
    "ctrl+n": (marked + 1) % length,
    tab: (marked + 1) % length,
    home: 0,
    end: length - 1,
    pageUp: Math.max(0, marked - 10),
    pageDown: Math.min(length - 1, marked + 10),
  };
  return steps[keyLabel(key)];
}

const BACK = new Set(["shift+tab", "ctrl+b", "left"]);

export function isBack(key: Key): boolean {
  return BACK.has(keyLabel(key));
}
