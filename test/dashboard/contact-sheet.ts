import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestBrowser } from "./browser.ts";
import { STATES } from "./page-states.ts";

const HEIGHT = 420;

/** Joins the pictures in a folder: one sheet per state, width and scheme, with all pages beside each other. */
export async function makeContactSheet({ browser }: TestBrowser, folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) =>
    STATES.some((state) => name.startsWith(`${state} `)),
  );
  const page = await browser.newPage();
  for (const state of STATES)
    for (const kind of ["320 light", "320 dark", "768 light", "768 dark", "1280 light", "1280 dark"]) {
      const shown = names
        .filter((name) => name.startsWith(`${state} `) && name.endsWith(` ${kind}.png`))
        .sort();
      const figures = await Promise.all(
        shown.map(async (name) => {
          const data = (await readFile(join(folder, name))).toString("base64");
          return `<figure><img height="${HEIGHT}" src="data:image/png;base64,${data}"><figcaption>${name.split(" ")[1]}</figcaption></figure>`;
        }),
      );
      const style =
        "body{display:flex;flex-wrap:wrap;gap:12px;background:#777;color:#fff;font:13px sans-serif;margin:12px}figure{margin:0}";
      await page.setViewport({ width: kind.startsWith("320") ? 1_600 : 2_000, height: 900 });
      await page.setContent(`<style>${style}</style>${figures.join("")}`);
      await writeFile(join(folder, `sheet ${state} ${kind}.png`), await page.screenshot({ fullPage: true }));
    }
  await page.close();
}
