import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import puppeteer, { type Page } from "puppeteer-core";

/** The paths of browsers, if they are installed. */
export const chromium: string | undefined = findProgram("chromium", "chromium-browser", "google-chrome");
export const firefox: string | undefined = findProgram("firefox-esr", "firefox");

function findProgram(...names: readonly string[]): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file));
}

export interface BrowserPage extends AsyncDisposable {
  readonly page: Page;
  /** Errors of the pages, and requests to other addresses. */
  readonly complaints: string[];
}

/** A headless browser with its own profile in that folder. */
export async function openPage(folder: string): Promise<BrowserPage> {
  const browser = await puppeteer.launch({
    executablePath: chromium ?? "",
    userDataDir: join(folder, "chromium"),
    // A container has no sandbox and little shared memory.
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking"],
  });
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => void complaints.push(String(error)));
  page.on("request", (request) => {
    if (request.resourceType() !== "document") complaints.push(`asked for ${request.url()}`);
  });
  return { page, complaints, [Symbol.asyncDispose]: () => browser.close() };
}
