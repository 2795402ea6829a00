import { safeLine, truncate } from "../../model/index.ts";
import type { ServerLists } from "./offers.ts";

/** Some clients truncate instructions after 2 KB, so one line per server comes first. */
const LONGEST_OVERVIEW = 1_500;
const LONGEST_LINE = 120;
const LONGEST_SECTION = 2_048;
const LONGEST = 16_384;

/** Returns one text for the instructions of all servers: an overview, then a section per server. */
export function mergeInstructions(lists: readonly ServerLists[]): string | undefined {
  const found = lists.flatMap(({ server, catalog: { instructions } }) =>
    instructions === undefined || instructions.trim() === "" ? [] : [{ name: server.name, instructions }],
  );
  if (found.length === 0) return undefined;
  let overview = "";
  for (const { name, instructions } of found) {
    const line = `${name}: ${truncate(safeLine(instructions.trim().split("\n", 1)[0] ?? ""), LONGEST_LINE)}\n`;
    if (overview.length + line.length > LONGEST_OVERVIEW) break;
    overview += line;
  }
  const sections = found.map(
    ({ name, instructions }) => `## ${name}\n\n${truncate(instructions.trim(), LONGEST_SECTION)}`,
  );
  return truncate(`${overview}\n${sections.join("\n\n")}`, LONGEST);
}
