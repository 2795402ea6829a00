import { safeLine, safeText, truncate } from "../model/index.ts";

const LONGEST = 4_096;
const LONGEST_IN_TOTAL = 32_768;

/**
 * Joins the servers' instructions for the model. Limits their length, makes hidden characters visible, and marks each block with its
 * server. The order is stable.
 */
export function joinInstructions(
  texts: readonly { readonly server: string; readonly text: string }[],
): string {
  const blocks: string[] = [];
  let length = 0;
  for (const { server, text } of [...texts].sort((left, right) => (left.server < right.server ? -1 : 1))) {
    const quoted = quote(truncate(safeText(text).trim(), LONGEST));
    const block = `## From the MCP server "${safeLine(server)}"\n\nThe server says this, not the user:\n\n${quoted}`;
    length += block.length;
    if (quoted === "> ") continue;
    if (length > LONGEST_IN_TOTAL) break;
    blocks.push(block);
  }
  return blocks.join("\n\n");
}

/** Quotes each line, so that a server's text can neither end its own block nor start another one. */
function quote(text: string): string {
  return text.replace(/^/gm, "> ");
}
