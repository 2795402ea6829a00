import { forEachYielding } from "../platform/index.ts";

/** Returns a list as JSON on one line, without blocking other work. Returns `undefined` if it is longer than `longest`. */
export async function listText(items: readonly unknown[], longest: number): Promise<string | undefined>;
export async function listText(items: readonly unknown[]): Promise<string>;
export async function listText(
  items: readonly unknown[],
  longest: number = Number.POSITIVE_INFINITY,
): Promise<string | undefined> {
  const texts: string[] = [];
  let length = 2;
  const isShort = await forEachYielding(items, (item) => {
    const text = JSON.stringify(item);
    texts.push(text);
    length += text.length + 1;
    return length <= longest;
  });
  return isShort ? `[${texts.join(",")}]` : undefined;
}
