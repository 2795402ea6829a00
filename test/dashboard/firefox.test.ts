import { expect, test } from "vitest";
import { firefox, openFirefox } from "./browser.ts";
import { startPageServer } from "./page-server.ts";
import { busyWorld } from "./page-world.ts";
import { PAGES } from "./visited-pages.ts";

test.skipIf(firefox === undefined)(
  "every page loads in Firefox, and the browser blocks none of its parts",
  { timeout: 100_000 },
  async () => {
    await using server = await startPageServer(busyWorld(Date.now()));
    await using browser = await openFirefox();
    await using visit = await browser.visit();
    for (const page of PAGES) {
      await visit.open(`${server.url}#/${page}`);
      expect(await visit.text("h1"), page).not.toBe("");
      expect(await visit.tooWide(), page).toEqual([]);
    }
    await visit.open(`${server.url}#/approvals`);
    await visit.press("Tab", "Enter");
    await visit.waitForText("Live", ".link-state");
    expect(visit.complaints).toEqual([]);
  },
);
