import { inTurns } from "../platform/index.ts";

/** A list as JSON on one line, written piece by piece, because it can be long. */
export async function listText(items: readonly unknown[]): Promise<string> {
  const texts: string[] = [];
  await inTurns(items, (item) => texts.push(JSON.stringify(item)) > 0);
  return `[${texts.join(",")}]`;
}
