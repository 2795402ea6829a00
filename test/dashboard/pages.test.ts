import { describe, expect, test } from "vitest";
import { chromium, type Visit } from "./browser.ts";
import { describeFocus, describeMarks, focusMark, markReachable } from "./in-page.mjs";
import { pagesInBrowser } from "./pages-in-browser.ts";
import { PAGES } from "./visited-pages.ts";

if (chromium === undefined) console.warn("Skipped: the dashboard's pages need chromium on PATH.");

const LONG_MS = 120_000;

describe.skipIf(chromium === undefined)("every page of the dashboard", { timeout: LONG_MS }, () => {
  const pages = pagesInBrowser();

  // The score checks them in every state, width and scheme.
  test.each(PAGES)(
    "%s is accessible, works with the keyboard alone, and fits on a small screen",
    async (page) => {
      await using visit = await pages.browser.visit();
      await visit.open(`${pages.server.url}#/${page}`);
      expect(await visit.axe()).toEqual([]);
      expect(await walkWithKeyboard(visit)).toEqual({ unreached: [], unmarked: [], hidden: [] });
      expect(await visit.page.$$("[style], style, script:not([src])")).toEqual([]);
      await visit.page.setViewport({ width: 320, height: 640 });
      expect(await visit.tooWide()).toEqual([]);
      expect(visit.complaints).toEqual([]);
    },
  );
});

/** Presses Tab until the focus leaves the page. */
async function walkWithKeyboard({ page }: Visit) {
  const total = await page.evaluate(markReachable);
  const reached = new Set<string>();
  const unmarked: string[] = [];
  const hidden: string[] = [];
  for (let step = 0; step < total + 5; step += 1) {
    await page.keyboard.press("Tab");
    const mark = await page.evaluate(focusMark);
    if (mark === null || reached.has(mark)) break;
    reached.add(mark);
    const { name, isVisible, isMarked } = await page.evaluate(describeFocus);
    if (!isVisible) hidden.push(name);
    if (!isMarked) unmarked.push(name);
  }
  const all = Array.from({ length: total }, (_, index) => String(index));
  const unreached = await page.evaluate(
    describeMarks,
    all.filter((mark) => !reached.has(mark)),
  );
  return { unreached, unmarked, hidden };
}
