import { afterAll, beforeAll, beforeEach } from "vitest";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { openBrowser, type TestBrowser } from "./browser.ts";
import { type PageServer, startPageServer } from "./page-server.ts";
import { busyWorld } from "./page-world.ts";

const LONG_MS = 60_000;

export interface PagesInBrowser {
  readonly browser: TestBrowser;
  readonly server: PageServer;
}

/** One browser and one server for all tests of a file. Each test starts with `busyWorld`. */
export function pagesInBrowser(): PagesInBrowser {
  let parts: (PagesInBrowser & { readonly sandbox: Sandbox }) | undefined;
  beforeAll(async () => {
    const sandbox = await createSandbox();
    const browser = await openBrowser(sandbox.home);
    parts = { sandbox, browser, server: await startPageServer(busyWorld(Date.now())) };
  }, LONG_MS);
  beforeEach(() => parts?.server.reset(busyWorld(Date.now())));
  afterAll(async () => {
    await parts?.browser[Symbol.asyncDispose]();
    await parts?.server[Symbol.asyncDispose]();
    await parts?.sandbox[Symbol.asyncDispose]();
  });
  const started = (): PagesInBrowser => {
    if (parts === undefined) throw new Error("The browser has not started.");
    return parts;
  };
  return {
    get browser() {
      return started().browser;
    },
    get server() {
      return started().server;
    },
  };
}
