import { safeLine, safeText, truncate } from "../model/index.ts";

const LONGEST = 4_096;
const LONGEST_OF_ALL = 32_768;

/**
 * What servers want the model to know, in one text: capped, with hidden characters made visible, and each marked as a
 * server's words. The order is the same for the same servers.
 */
export function joinInstructions(
  texts: readonly { readonly server: string; readonly text: string }[],
): string {
  const blocks: string[] = [];
  let length = 0;
  for (const { server, text } of [...texts].sort((left, right) => (left.server < right.server ? -1 : 1))) {
    const said = quote(truncate(safeText(text).trim(), LONGEST));
    const block = `## From the MCP server "${safeLine(server)}"\n\nThe server says this, not the user:\n\n${said}`;
    length += block.length;
    if (said === "> ") continue;
    if (length > LONGEST_OF_ALL) break;
    blocks.push(block);
  }
  return blocks.join("\n\n");
}

/** Line by line, so that a server can neither begin another's block nor end its own. */
function quote(text: string): string {
  return text.replace(/^/gm, "> ");
}
