import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { report } from "../durability/counts.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { chromium, openBrowser, type TestBrowser } from "./browser.ts";
import { HOSTILE_TEXTS } from "./hostile-world.ts";
import { type PageServer, startPageServer } from "./page-server.ts";
import { busyWorld } from "./page-world.ts";
import { visitHostile } from "./visit-hostile.ts";

describe.skipIf(chromium === undefined)("hostile texts everywhere on the pages", { timeout: 600_000 }, () => {
  let sandbox: Sandbox;
  let browser: TestBrowser;
  let server: PageServer;
  beforeAll(async () => {
    sandbox = await createSandbox();
    browser = await openBrowser(sandbox.home);
    server = await startPageServer(busyWorld(Date.now()));
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  });

  test("nothing is executed, and nothing is wider than its container", async () => {
    const results = [];
    for (const text of HOSTILE_TEXTS)
      results.push(await visitHostile(browser, server, { text, widths: [320, 768, 1_280] }));
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
