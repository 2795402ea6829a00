/* oxlint-disable unicorn/no-thenable -- the rules of a policy have a member with this name */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BrowserPage, chromium, openPage } from "../support/chromium.ts";
import { startTeam, type Team } from "../support/team.ts";
import { stdioServer } from "../support/test-servers.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const LONG = "a-name-without-any-space-".repeat(6);
const PATHS = ["/connections", "/tokens", "/approvals", "/activity", "/people", "/policy", "/nodes"];

let team: Team;
let browser: BrowserPage;
let person = "";

beforeAll(async () => {
  const rules = [
    { who: ["*"], tools: ["write"], then: "ask", by: "dashboard" },
    { who: ["*"], then: "allow" },
  ];
  team = await startTeam({
    servers: {
      notes: { ...stdioServer("notes-server.mjs") },
      issues: { type: "http", url: "https://mcp.example.com/mcp" },
    },
    access: { administrators: ["ada"] },
    policy: { rules },
    limits: { pagesPerMinute: 10_000 },
  });
  const token = await team.token("ada");
  await team.token(LONG);
  await team.send(token, "tools/call", {
    name: "notes_write",
    arguments: { topic: LONG, text: "<script>alert(1)</script>" },
  });
  await team.gateway.saved();
  person = `/people/${(await team.store.people.find("local", LONG))?.id ?? ""}`;
  browser = await openPage(team.sandbox.home);
  await browser.page.goto(new URL("/login", team.url).href);
  await browser.page.keyboard.type(token); // the field has the focus
  await Promise.all([browser.page.waitForNavigation(), browser.page.keyboard.press("Enter")]);
}, 60_000);
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  await team[Symbol.asyncDispose]();
});

test.skipIf(chromium === undefined)(
  "pages are readable at every width and in both colour schemes, and follow the accessibility rules",
  async () => {
    const { page, complaints } = browser;
    for (const path of [...PATHS, person]) {
      await page.goto(new URL(path, team.url).href);
      for (const scheme of ["light", "dark"] as const) {
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        for (const width of [320, 1280]) {
          await page.setViewport({ width, height: 900 });
          const wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
          expect([path, width, Math.max(0, Number(wide))]).toEqual([path, width, 0]);
        }
        await page.evaluate(axe);
        const problems = await page.evaluate(`axe.run(document, { resultTypes: ["violations"] })
          .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`);
        expect([path, scheme, problems]).toEqual([path, scheme, []]);
      }
    }
    expect(complaints).toEqual([]);
  },
  60_000,
);

test.skipIf(chromium === undefined)("a token is created with the keyboard alone", async () => {
  const { page } = browser;
  await page.goto(new URL("/tokens", team.url).href);
  const name = await page.waitForSelector("input[name=name]");
  await name?.focus();
  await page.keyboard.type("from the keyboard");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  expect(await page.$eval("[role=status]", (element) => element.textContent)).toContain("from the keyboard");
});
