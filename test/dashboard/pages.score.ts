import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LONGEST_MS, report } from "../durability/counts.ts";
import { chromium } from "./browser.ts";
import { makeContactSheet } from "./contact-sheet.ts";
import { openIn, STATES } from "./page-states.ts";
import { pagesInBrowser } from "./pages-in-browser.ts";
import { PAGES } from "./visited-pages.ts";

const WIDTHS = [320, 768, 1_280];
const SCHEMES = ["light", "dark"] as const;
/** `node scripts/contact-sheet.mjs` sets it: the folder for a picture of every page in every state. */
const PICTURES = process.env["CONTACT_SHEET"];
/** Chromium reports every failed request. */
const EXPECTED = /Failed to load resource|net::ERR_/;

describe.skipIf(chromium === undefined)("every page in every state", { timeout: LONGEST_MS }, () => {
  const pages = pagesInBrowser();

  test.each(STATES)("%s: accessible, and nothing is wider than its container", async (state) => {
    const { browser, server } = pages;
    const wrong: string[] = [];
    let checks = 0;
    if (PICTURES !== undefined) await mkdir(PICTURES, { recursive: true });
    for (const page of PAGES)
      for (const scheme of SCHEMES)
        for (const width of WIDTHS) {
          const name = `${state} ${page.replaceAll("/", "-")} ${width} ${scheme}`;
          await using visit = await browser.visit({ width, scheme, height: width < 500 ? 640 : 900 });
          const leave = await openIn(state, { server, visit, page });
          if (PICTURES === undefined) {
            const problems = [
              ...(await visit.axe()),
              ...(await visit.tooWide()),
              ...visit.complaints.filter((text) => !EXPECTED.test(text)),
            ];
            wrong.push(...problems.map((problem) => `${name}: ${problem}`));
          } else await visit.page.screenshot({ path: join(PICTURES, `${name}.png`) });
          checks += 1;
          await leave();
        }
    const failed = new Set(wrong.map((problem) => problem.split(":")[0])).size;
    report(
      "pages of the dashboard in every state, width and scheme: 0 axe violations, nothing too wide",
      checks - failed,
      checks,
    );
    expect(wrong).toEqual([]);
  });

  test.skipIf(PICTURES === undefined)("the contact sheet shows all of them", async () => {
    await makeContactSheet(pages.browser, PICTURES ?? "");
  });
});
