import { expect, test } from "vitest";
import { COMMANDS } from "../../../src/surfaces/cli/commands/index.ts";
import { overview } from "../../../src/surfaces/cli/commands/overview.ts";
import type { Command, Flag } from "../../../src/surfaces/shared/command.ts";
import { GLOBAL_FLAGS } from "../../../src/surfaces/shared/parse-words.ts";
import { inCell, table } from "./tables.ts";

/** `npx vitest run test/docs/reference -u` regenerates the page. */
test("the command-line reference matches the program", async () => {
  await expect(page()).toMatchFileSnapshot("../../../docs/reference/command-line.md");
});

function page(): string {
  return `${[
    "# Command-line reference",
    "Generated from the program. [The command line](../command-line.md) explains how to use it.",
    "## Options for every command",
    flagTable(GLOBAL_FLAGS),
    "## Options without a command",
    flagTable(overview.flags),
    ...COMMANDS.flatMap(section),
  ].join("\n\n")}\n`;
}

function section({
  name,
  aliases = [],
  parameters,
  summary,
  notes = [],
  flags,
  examples,
}: Command): string[] {
  const others =
    aliases.length === 0 ? "" : ` Aliases: ${aliases.map((alias) => `\`${alias}\``).join(", ")}.`;
  return [
    `## ${name}`,
    `\`${["plugboard", name, parameters].filter(Boolean).join(" ")}\``,
    `${inCell(summary)}${others}`,
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${inCell(note)}`).join("\n")]),
    ...(Object.keys(flags).length === 0 ? [] : [flagTable(flags)]),
    ["```sh", ...examples, "```"].join("\n"),
  ];
}

function flagTable(flags: Readonly<Record<string, Flag>>): string {
  const rows = Object.entries(flags).map(([name, { short, value, summary }]) => [
    `\`${[short && `-${short},`, `--${name}`, value].filter(Boolean).join(" ")}\``,
    summary,
  ]);
  return table(["option", "description"], rows);
}
