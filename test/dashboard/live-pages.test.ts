import { describe, expect, test, vi } from "vitest";
import { chromium } from "./browser.ts";
import { busyWorld, emptyWorld } from "./page-world.ts";
import { pagesInBrowser } from "./pages-in-browser.ts";

describe.skipIf(chromium === undefined)("the dashboard while things change", { timeout: 60_000 }, () => {
  const pages = pagesInBrowser();

  test("reconnects after the stream was lost, and shows what has changed since", async () => {
    const { browser, server } = pages;
    await using visit = await browser.visit();
    await visit.open(`${server.url}#/servers`);
    await server.interrupt();
    await visit.waitForText("The gateway cannot be reached");
    expect(await visit.text(".link-state")).toBe("Offline");
    await visit.page.click("tbody .button");
    const [first, ...rest] = server.world.servers;
    if (first !== undefined)
      server.world = { ...server.world, servers: [{ ...first, state: "failed" }, ...rest] };
    server.publish("servers");
    await server.resume();
    await visit.waitForText("Live", ".link-state");
    await visit.waitForText(/files[^]*?Failed[^]*?github/, "tbody");
    expect(await visit.text()).not.toContain("cannot be reached");
    expect(server.writes).toEqual([]); // the button was blocked
  });

  test("reports that it could never connect, and loads when it can", async () => {
    const { browser, server } = pages;
    await using visit = await browser.visit();
    server.fault = (path) =>
      path === "session"
        ? { status: 503, code: "PAGE_BUSY", message: "The gateway is stopping." }
        : undefined;
    await visit.page.goto(server.url);
    await visit.waitForText("The dashboard cannot be loaded");
    expect(await visit.text()).toContain("The gateway is stopping.");
    server.fault = () => undefined;
    await visit.page.click("button");
    await visit.waitForText("things need you");
  });

  test("keeps the keyboard focus when rows are added, and moves it to the heading when its row disappears", async () => {
    const { browser, server } = pages;
    await using visit = await browser.visit();
    await visit.open(`${server.url}#/servers`);
    await visit.page.focus("tbody tr:nth-child(3) a");
    expect(await visit.focused()).toBe("a memory");
    const [files] = server.world.servers;
    const added = { ...busyWorld(0).servers[0], ...files, name: "added" };
    server.world = { ...server.world, servers: [added as never, ...server.world.servers] };
    server.publish("servers");
    await visit.waitForText("10 servers", "main");
    expect(await visit.focused()).toBe("a memory");
    server.world = { ...server.world, servers: server.world.servers.filter(({ name }) => name !== "memory") };
    server.publish("servers");
    await visit.waitForText("9 servers", "main");
    expect(await visit.focused()).toBe("h1 Servers");
  });

  test("never changes a launch that a person is reading: the new one is shown on request", async () => {
    const { browser, server } = pages;
    await using visit = await browser.visit();
    await visit.open(`${server.url}#/approvals/launch/tracker`);
    const [launch] = server.world.launches;
    if (launch === undefined) throw new Error("no launch");
    const changed = {
      ...launch,
      launch: { command: "curl", args: ["evil.example"] },
      choices: [{ access: "can do everything that you can", hash: "new-hash", isSandboxed: false }],
    };
    server.world = { ...server.world, launches: [changed] };
    server.publish("approvals");
    await visit.waitForText("The launch has changed while you were reading.");
    expect(await visit.text()).not.toContain("curl");
    await visit.page.click("[aria-labelledby=approve] .primary");
    expect(server.writes).toEqual([]);
    await visit.page.click(".notice .button");
    await visit.waitForText("curl");
    await visit.page.click("[aria-labelledby=approve] .primary");
    await visit.waitForText("Approved: tracker may run.");
    expect(server.writes).toEqual([{ path: "approvals/launches/tracker", body: { hash: "new-hash" } }]);
  });

  test("shows on any page that the page session ended, and hides the page's content", async () => {
    const { browser, server } = pages;
    await using visit = await browser.visit();
    await visit.open(`${server.url}#/connections`);
    server.fault = () => ({ status: 401, code: "PAGE_SIGNED_OUT", message: "Sign in again." });
    server.publish("connections");
    await visit.waitForText("You are signed out");
    expect(await visit.text()).toContain("plugboard dashboard");
    expect(await visit.text()).not.toContain("GITHUB_TOKEN");
    expect(await visit.axe()).toEqual([]);
  });

  test("says that the page session ended if the gateway was restarted at another address", async () => {
    const { browser, server } = pages;
    await using visit = await browser.visit();
    await visit.open(`${server.url}#/servers`);
    await server.interrupt();
    await visit.waitForText("The gateway cannot be reached");
    server.fault = () => ({ status: 404, code: "PAGE_UNKNOWN", message: "Not found." });
    await server.resume();
    await visit.waitForText("You are signed out");
    expect(await visit.text()).toContain("plugboard dashboard");
  });

  test("uses a ticket once, without leaving it in the address, and explains an old one", async () => {
    const { browser, server } = pages;
    await using visit = await browser.visit();
    await visit.open(`${server.url}#ticket=abc&page=/approvals`);
    expect(await visit.text("h1")).toBe("Approvals");
    expect(visit.page.url()).toBe(`${server.url}#/approvals`);
    expect(server.writes).toEqual([{ path: "session", body: { ticket: "abc" } }]);
    server.fault = (path) =>
      path === "session"
        ? { status: 401, code: "PAGE_TICKET_INVALID", message: "Unknown ticket." }
        : undefined;
    await visit.page.goto("about:blank");
    await visit.page.goto(`${server.url}#ticket=old`);
    await visit.waitForText("This link does not work any more");
    expect(visit.page.url()).not.toContain("old");
  });

  test.each([
    ["servers", "No servers yet"],
    ["tools", "No tools yet"],
    ["clients", "No client is connected"],
    ["connections", "You are not signed in to a server."],
    ["approvals", "Nothing waits for approval"],
    ["activity", "No activity yet"],
    ["overview", "Nothing needs you."],
    ["setup", "No client matches"],
  ])("%s describes its future content while it is empty", async (page, text) => {
    const { browser, server } = pages;
    server.world = emptyWorld(Date.now());
    await using visit = await browser.visit({ width: 768 });
    await visit.open(`${server.url}#/${page}`);
    expect(await visit.text()).toContain(text);
    expect(visit.complaints).toEqual([]);
  });

  test("shows that a page is loading, why it cannot be loaded, and loads it again on request", async () => {
    const { browser, server } = pages;
    await using visit = await browser.visit();
    server.fault = (path) => (path === "clients" ? "hang" : undefined);
    await visit.page.goto(`${server.url}#/clients`);
    await visit.waitForText("Loading the clients");
    server.fault = (path) =>
      path === "clients"
        ? { status: 500, code: "INTERNAL_BUG", message: "The list is broken.", hint: "Report it." }
        : undefined;
    await visit.open(`${server.url}#/clients`);
    await visit.waitForText(/Could not load the clients\.\s+The list is broken\.\s+Report it\./);
    expect(await visit.axe()).toEqual([]);
    const { fault } = server;
    let requests = 0;
    server.fault = (path, method) => {
      if (path === "clients") requests += 1;
      return fault(path, method);
    };
    await visit.page.click("main .notice button");
    await vi.waitUntil(() => requests > 0, 10_000);
    server.fault = () => undefined;
    server.publish("clients");
    await visit.waitForText("claude-code");
  });
});
