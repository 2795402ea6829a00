import { describe, expect, test } from "vitest";
import { report } from "../durability/counts.ts";
import { chromium } from "./browser.ts";
import { HOSTILE_TEXTS } from "./hostile-world.ts";
import { pagesInBrowser } from "./pages-in-browser.ts";
import { visitHostile } from "./visit-hostile.ts";

describe.skipIf(chromium === undefined)("hostile texts everywhere on the pages", { timeout: 600_000 }, () => {
  const pages = pagesInBrowser();

  test("nothing is executed, and nothing is wider than its container", async () => {
    const results = [];
    for (const text of HOSTILE_TEXTS)
      results.push(await visitHostile(pages.browser, pages.server, { text, widths: [320, 768, 1_280] }));
    const wrong = results.flatMap((result) => result.wrong);
    const checks = results.reduce((sum, result) => sum + result.checks, 0);
    report(
      "hostile texts on pages, at three widths: none executed, none wider than its container",
      checks - wrong.length,
      checks,
    );
    expect(wrong).toEqual([]);
  });
});
