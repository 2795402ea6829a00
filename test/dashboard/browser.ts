/** A real browser for the pages of the dashboard. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import puppeteer, { type Browser, type KeyInput, type Page } from "puppeteer-core";
import { chromium, firefox } from "../support/chromium.ts";
import { describeFocus, findTooWide, isSettled } from "./in-page.mjs";

export { chromium, firefox };

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: "light" | "dark";
}

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Errors and warnings of the page, refused content, and requests to other origins. */
  readonly complaints: string[];
  /** Opens an address and waits until everything is loaded. */
  open(url: string): Promise<void>;
  /** Waits until nothing on the page is loading. */
  settle(): Promise<void>;
  /** What the page shows, as text. */
  text(selector?: string): Promise<string>;
  /** What has the keyboard focus: the element and its text. */
  focused(): Promise<string>;
  /** Presses keys one after another. */
  press(...keys: readonly KeyInput[]): Promise<void>;
  /** Waits until the page shows this text. */
  waitForText(text: string | RegExp, selector?: string): Promise<void>;
  /** Accessibility problems: the rule and the elements. */
  axe(): Promise<string[]>;
  /** Elements that are wider than what contains them. */
  tooWide(): Promise<string[]>;
}

export interface TestBrowser extends AsyncDisposable {
  readonly browser: Browser;
  visit(options?: PageOptions): Promise<Visit>;
}

export async function openBrowser(folder: string): Promise<TestBrowser> {
  const browser = await puppeteer.launch({
    executablePath: chromium ?? "",
    userDataDir: join(folder, "chromium"),
    // A container has no sandbox and little shared memory.
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking"],
  });
  return {
    browser,
    async visit(options) {
      const page = await browser.newPage();
      await page.emulateMediaFeatures([
        { name: "prefers-color-scheme", value: options?.scheme ?? "light" },
        { name: "prefers-reduced-motion", value: "reduce" },
      ]);
      return toVisit(page, options);
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** Firefox always has its own colour scheme. */
export async function openFirefox(): Promise<TestBrowser> {
  const browser = await puppeteer.launch({ browser: "firefox", executablePath: firefox ?? "" });
  return {
    browser,
    visit: async (options) => toVisit(await browser.newPage(), options),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

async function toVisit(page: Page, { width = 1_280, height = 900 }: PageOptions = {}): Promise<Visit> {
  const complaints: string[] = [];
  let origin = "";
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => void complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith("data:"))
      complaints.push(`requested ${request.url()}`);
  });
  await page.setViewport({ width, height });
  const text = (selector = "body"): Promise<string> =>
    page.$eval(selector, (element) => (element as unknown as { innerText: string }).innerText);
  const settle = async (): Promise<void> => {
    await page.waitForFunction(isSettled);
  };
  return {
    page,
    complaints,
    text,
    settle,
    async open(url) {
      ({ origin } = new URL(url));
      await page.goto("about:blank"); // a new fragment alone would not load the page again
      complaints.splice(
        0,
        complaints.length,
        ...complaints.filter((text) => text !== "requested about:blank"),
      );
      await page.goto(url);
      await settle();
    },
    focused: async () => (await page.evaluate(describeFocus)).name,
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    async waitForText(wanted, selector = "body") {
      const { source, flags } =
        typeof wanted === "string" ? new RegExp(wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")) : wanted;
      await page.waitForFunction(
        `new RegExp(${JSON.stringify(source)}, ${JSON.stringify(flags)}).test(document.querySelector(${JSON.stringify(selector)})?.innerText ?? "")`,
      );
    },
    async axe() {
      await page.evaluate(axe);
      const found = await page.evaluate(
        `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
          violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) =>
            id + " (" + help + "): " + target.join(" ") + " " + failureSummary)))`,
      );
      return found as string[];
    },
    tooWide: () => page.evaluate(findTooWide),
    [Symbol.asyncDispose]: () => page.close(),
  };
}
