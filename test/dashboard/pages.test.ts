import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { chromium, openBrowser, type TestBrowser, type Visit } from "./browser.ts";
import { describeFocus, describeMarks, focusMark, markReachable } from "./in-page.mjs";
import { type PageServer, startPageServer } from "./page-server.ts";
import { busyWorld } from "./page-world.ts";
import { PAGES } from "./visited-pages.ts";

if (chromium === undefined) console.warn("Skipped: the dashboard's pages need chromium on PATH.");

const LONG_MS = 120_000;

describe.skipIf(chromium === undefined)("every page of the dashboard", { timeout: LONG_MS }, () => {
  let sandbox: Sandbox;
  let browser: TestBrowser;
  let server: PageServer;
  beforeAll(async () => {
    sandbox = await createSandbox();
    browser = await openBrowser(sandbox.home);
    server = await startPageServer(busyWorld(Date.now()));
  }, LONG_MS);
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  });

  test.each(PAGES)("%s is accessible, and every control can be reached with the keyboard", async (page) => {
    await using visit = await browser.visit();
    await visit.open(`${server.url}#/${page}`);
    expect(await visit.axe()).toEqual([]);
    expect(await walkWithKeyboard(visit)).toEqual({ unreached: [], unmarked: [], hidden: [] });
    expect(await visit.page.$$("[style], style, script:not([src])")).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });

  test.each(PAGES)("%s fits on a small screen, in dark colours too", async (page) => {
    await using visit = await browser.visit({ width: 320, height: 640, scheme: "dark" });
    await visit.open(`${server.url}#/${page}`);
    expect(await visit.tooWide()).toEqual([]);
    expect(await visit.axe()).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });
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
