import { linkTo } from "../../src/surfaces/dashboard/routes.ts";
import type { TestBrowser, Visit } from "./browser.ts";
import { hostileWorld } from "./hostile-world.ts";
import type { PageServer } from "./page-server.ts";

/** The pages that show texts of others, for servers and tools with a hostile name. */
export function hostilePages(text: string): readonly string[] {
  const links = [
    linkTo("overview"),
    linkTo("servers"),
    linkTo("tools"),
    linkTo("clients"),
    linkTo("connections"),
    linkTo("approvals"),
    linkTo("activity"),
    linkTo("setup"),
  ];
  if (text === "" || /\p{Cs}/u.test(text)) return links; // no address contains such a name
  return [
    ...links,
    linkTo("servers", [text]),
    linkTo("tools", [text, text]),
    linkTo("approvals", ["launch", text]),
    linkTo("approvals", ["tools", text]),
  ];
}

/** Visits all pages with one text everywhere, and returns what is wrong. */
export async function visitHostile(
  browser: TestBrowser,
  server: PageServer,
  {
    text,
    widths,
    pages = hostilePages(text),
  }: { readonly text: string; readonly widths: readonly number[]; readonly pages?: readonly string[] },
): Promise<{ readonly checks: number; readonly wrong: readonly string[] }> {
  server.world = hostileWorld(Date.now(), text);
  await using visit = await browser.visit();
  const wrong: string[] = [];
  for (const page of pages) {
    for (const width of widths) {
      await visit.page.setViewport({ width, height: 900 });
      try {
        await visit.open(`${server.url}${page}`);
        await showMore(visit, page);
      } catch (error) {
        wrong.push(`${page.slice(0, 60)} at ${width}: ${String(error)}`);
        continue;
      }
      const executed = await visit.page.evaluate("typeof window.__executed");
      const added = await visit.page.$$eval(
        "iframe, img, base, meta[http-equiv], link:not([href^='./']), a[href^='javascript:'], a[href^='data:'], [onfocus], [onerror], [onload]",
        (found) => found.length,
      );
      const tooWide = await visit.tooWide();
      if (executed !== "undefined") wrong.push(`${page} at ${width}: executed`);
      if (added > 0) wrong.push(`${page} at ${width}: ${added} foreign elements`);
      wrong.push(...tooWide.slice(0, 3).map((element) => `${page.slice(0, 60)} at ${width}: ${element}`));
      wrong.push(
        ...visit.complaints.splice(0).map((complaint) => `${page.slice(0, 60)} at ${width}: ${complaint}`),
      );
    }
  }
  return { checks: pages.length * widths.length, wrong };
}

/** Opens what is shown only on request. */
async function showMore({ page }: Visit, address: string): Promise<void> {
  if (address === linkTo("activity")) {
    await page.click("[data-active]");
    await page.waitForSelector("dialog[open]");
  }
  if (await page.$("form")) {
    await page.waitForSelector("form button[type=submit]:not([aria-disabled])");
    await page.click("form button[type=submit]");
    await page.waitForSelector(".result");
  }
  for (const summary of await page.$$("summary")) await summary.click();
}
