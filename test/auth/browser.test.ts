import { chmod } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { nodePorts } from "../../src/platform/node/index.ts";
import { eventuallyReads, failureOf, hostIn } from "../flow/host-in.ts";
import { chromium, openPage } from "../support/chromium.ts";
import { type OauthServer, startOauthServer } from "../support/oauth-server.ts";
import { runCli, startCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

if (chromium === undefined) console.warn("Skipped: signing in with a real browser needs chromium on PATH.");

describe.skipIf(chromium === undefined)("in a real browser", { timeout: 60_000 }, () => {
  let server: OauthServer;
  let sandbox: Sandbox;
  beforeAll(async () => {
    server = await startOauthServer(["--ask"]);
  });
  afterAll(() => server[Symbol.asyncDispose]());
  beforeEach(async () => {
    sandbox = await createSandbox();
    return () => sandbox[Symbol.asyncDispose]();
  });

  test("a user signs in, consents, sees the success page, and the server connects", async () => {
    await using browser = await openPage(sandbox.home);
    const { page } = browser;
    const opened = join(sandbox.home, "opened");
    const opener = await sandbox.writeHome("bin/xdg-open", `#!/bin/sh\nprintf '%s\\n' "$1" > "${opened}"\n`);
    await chmod(opener, 0o755);
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { notes: { type: "http", url: server.url } },
    });
    const env = { PATH: `${join(sandbox.home, "bin")}:${process.env["PATH"]}` };
    await using cli = startCli(["login", "notes"], { sandbox, env });
    await page.goto((await eventuallyReads(opened)).trim());
    await signInAndAnswer(page, "yes");
    expect(await textOf(page)).toEqual([
      "Plugboard: You are signed in",
      "✓\nYou are signed in\n\nYou can close this window and go back to Plugboard.",
    ]);
    expect((await cli.ended).code).toBe(0);
    expect((await runCli(["call", "notes", "echo", "text=hi"], { sandbox })).stdout).toContain("hi");
    expect(browser.complaints).toEqual([]);
    expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\?/);
  });

  test("a user who declines sees that, and the server's text is escaped on the page", async () => {
    await using browser = await openPage(sandbox.home);
    const { page } = browser;
    await using host = await hostIn(sandbox, {
      servers: { notes: { type: "http", url: server.url } },
      ports: { browser: { open: async (url) => (void page.goto(url.href), true) } },
    });
    const failure = failureOf(host.signIns.login("notes", { onSignIn: () => {} }));
    await page.waitForNavigation();
    await signInAndAnswer(page, "no");
    const [title, text] = await textOf(page);
    expect(title).toBe("Plugboard: You are not signed in");
    expect(text).toContain("<b>The person</b> said no");
    expect((await failure).code).toBe("AUTH_FAILED");
    expect(browser.complaints.filter((complaint) => !complaint.includes("status of 400"))).toEqual([]);
  });

  test("the page shows no result before the tokens have arrived", async () => {
    const { clock } = nodePorts();
    await using browser = await openPage(sandbox.home);
    const { page } = browser;
    await using host = await hostIn(sandbox, {
      servers: { notes: { type: "http", url: server.url } },
      ports: {
        clock: { now: clock.now, after: (ms, done) => clock.after(ms === 10_000 ? 1_500 : ms, done) },
        browser: { open: async (url) => (void page.goto(url.href), true) },
      },
    });
    const failure = failureOf(host.signIns.login("notes", { onSignIn: () => {} }));
    await page.waitForNavigation();
    await server.control("hold?when=before");
    await signInAndAnswer(page, "yes");
    expect((await textOf(page))[0]).toBe("Plugboard: You are not signed in");
    expect((await failure).code).toBe("AUTH_FAILED");
  });
});

/** Enters a name if the page asks for one, then answers and waits for the final page. */
async function signInAndAnswer(page: Page, answer: "yes" | "no"): Promise<void> {
  await page.waitForSelector("input[name=login]");
  await page.type("input[name=login]", "me");
  await Promise.all([page.waitForNavigation(), page.click("button[value=yes]")]);
  await Promise.all([page.waitForNavigation(), page.click(`button[value=${answer}]`)]);
}

async function textOf(page: Page): Promise<[title: string, text: string]> {
  const text = await page.$eval("main", (main) => (main as unknown as { innerText: string }).innerText);
  return [await page.title(), text];
}
