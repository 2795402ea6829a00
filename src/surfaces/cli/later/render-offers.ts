import { safeLine, truncate } from "../../../index.ts";
import { count } from "../render/server-list.ts";
import type { Style } from "../render/style.ts";
import { displayWidth, renderTable } from "../render/table.ts";

/** What one server offers of one kind. */
export interface Block {
  readonly server: string;
  readonly noun: string;
  readonly stale: boolean;
  readonly rows: readonly {
    readonly name: string;
    /** What stands right behind the name. */
    readonly signature?: string;
    readonly details: readonly string[];
    readonly description: string;
  }[];
}

/** One block per server: a line each with name, details and as much of the description as fits. */
export function renderBlocks(blocks: readonly Block[], style: Style, columns: number): string {
  return `${blocks.map((block) => renderBlock(block, style, columns).join("\n")).join("\n\n")}\n`;
}

function renderBlock({ server, noun, stale, rows }: Block, style: Style, columns: number): string[] {
  const half = Math.max(20, Math.floor(columns / 2));
  const hint = stale ? style.dim(" (from an older list; --refresh asks again)") : "";
  const cells = rows.map(({ name, signature = "", details, description }) => {
    const plain = safeLine(name);
    const text = truncate(`${plain}${safeLine(signature)}`, half);
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
  const used =
    Math.max(0, ...cells.map(({ text }) => displayWidth(text))) +
    widths.reduce((sum, width) => sum + width + 2, 0);
  return [
    `${style.bold(safeLine(server))} ${style.dim("·")} ${count(rows.length, noun)}${hint}`,
    ...renderTable(
      cells.map(({ text, name, details, description }) => [
        { text: `  ${text}`, paint: (plain: string) => plain.replace(name, () => style.name(name)) },
        ...details.map((detail) => ({ text: detail })),
        { text: truncate(safeLine(description), Math.max(12, columns - used - 4)), paint: style.dim },
      ]),
    ),
  ];
}
