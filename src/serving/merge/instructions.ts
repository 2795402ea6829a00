import { safeLine, safeText, truncate } from "../../model/index.ts";
import type { ServerLists } from "./offers.ts";

/** Some clients truncate instructions after 2 KB, so one line per server comes first. */
const LONGEST_OVERVIEW = 1_500;
const LONGEST_LINE = 120;
const LONGEST_SECTION = 2_048;
const LONGEST = 16_384;

/** Returns the instructions of all servers as one text: a line per server, then a section for each server with longer instructions. */
export function mergeInstructions(lists: readonly ServerLists[]): string | undefined {
  const found = lists.flatMap(({ server: { name }, catalog: { instructions = "" } }) =>
    instructions.trim() === "" ? [] : [{ name, instructions: instructions.trim() }],
  );
  if (found.length === 0) return undefined;
  const first = new Map(found.map(({ name, instructions }) => [name, firstLine(instructions)]));
  const overview = overviewOf(lists.map(({ server: { name } }) => ({ name, line: first.get(name) })));
  const sections = found
    .filter(({ instructions }) => firstLine(instructions) !== instructions)
    .map(({ name, instructions }) => `## ${safeLine(name)}\n\n${quoted(instructions)}`);
  return truncate([overview, ...sections].join("\n\n"), LONGEST);
}

/** Lines are shortened until every server has one. Servers whose name alone does not fit are only counted. */
function overviewOf(
  servers: readonly { readonly name: string; readonly line: string | undefined }[],
): string {
  const lineLength = Math.min(LONGEST_LINE, Math.floor(LONGEST_OVERVIEW / servers.length));
  let overview = "";
  for (const [index, { name, line }] of servers.entries()) {
    const text = `${truncate(safeLine(line === undefined ? name : `${name}: ${line}`), Math.max(lineLength, name.length))}\n`;
    const left = `and ${servers.length - index} more servers\n`;
    if (overview.length + text.length + left.length > LONGEST_OVERVIEW) return (overview + left).trimEnd();
    overview += text;
  }
  return overview.trimEnd();
}

function firstLine(instructions: string): string {
  return safeLine(instructions.split("\n", 1)[0] ?? "");
}

/** Every line is quoted. A server could otherwise write the section of another server. */
function quoted(instructions: string): string {
  const text = safeText(instructions.slice(0, LONGEST_SECTION).replace(/\r\n?|[\u2028\u2029]/g, "\n"));
  return truncate(`> ${text.replaceAll("\n", "\n> ")}`, LONGEST_SECTION);
}
