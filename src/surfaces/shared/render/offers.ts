import { safeLine, truncate } from "../../../terminal.ts";
import { count } from "./server-list.ts";
import type { Style } from "./style.ts";
import { displayWidth, renderTable } from "./table.ts";

/** The resources or prompts of one server. */
export interface Block {
  readonly server: string;
  readonly noun: string;
  readonly stale: boolean;
  readonly rows: readonly {
    readonly name: string;
    /** Shown directly after the name. */
    readonly signature?: string;
    readonly details: readonly string[];
    readonly description: string;
  }[];
}

/** Descriptions narrower than this are not shown. */
const LEAST_DESCRIPTION = 12;

/** Renders one block per server, with one row per item. Shows as many details as fit. */
export function renderBlocks(blocks: readonly Block[], style: Style, columns: number): string {
  return `${blocks.map((block) => renderBlock(block, style, columns).join("\n")).join("\n\n")}\n`;
}

function renderBlock({ server, noun, stale, rows }: Block, style: Style, columns: number): string[] {
  const half = Math.max(20, Math.floor(columns / 2));
  const hint = stale ? style.dim(" (cached, may be outdated; --refresh queries the server)") : "";
  const cells = rows.map(({ name, signature = "", details, description }) => {
    const plain = safeLine(name);
    // Users type the name next, so it is truncated only if it is wider than the terminal.
    const text = truncate(
      `${plain}${safeLine(signature)}`,
      Math.max(half, Math.min(plain.length, columns - 2)),
    );
    return {
      text,
      name: plain,
      details: details.map((detail) => truncate(safeLine(detail), 30)),
      description,
    };
  });
  const widths = (rows[0]?.details ?? []).map((_, index) =>
    Math.max(0, ...cells.map(({ details }) => displayWidth(details[index] ?? ""))),
  );
  let room = columns - 2 - Math.max(0, ...cells.map(({ text }) => displayWidth(text)));
  let shown = 0;
  for (; shown < widths.length && (widths[shown] ?? 0) + 2 <= room; shown += 1)
    room -= (widths[shown] ?? 0) + 2;
  const describes = shown === widths.length && room - 2 >= LEAST_DESCRIPTION;
  return [
    `${style.bold(safeLine(server))} ${style.dim("·")} ${count(rows.length, noun)}${hint}`,
    ...renderTable(
      cells.map(({ text, name, details, description }) => [
        { text: `  ${text}`, paint: (plain: string) => plain.replace(name, () => style.name(name)) },
        ...details.slice(0, shown).map((detail) => ({ text: detail })),
        ...(describes ? [{ text: truncate(safeLine(description), room - 2), paint: style.dim }] : []),
      ]),
    ),
  ];
}
