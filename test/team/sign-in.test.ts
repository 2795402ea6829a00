/* oxlint-disable unicorn/no-thenable -- the rules of a policy have a member with this name */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import type { HttpRequest } from "../../src/platform/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { browse, type OauthServer, startOauthServer } from "../support/oauth-server.ts";
import { startTeam, type Team, type TeamBrowser } from "../support/team.ts";
import { stdioServer } from "../support/test-servers.ts";

let server: OauthServer;
let team: Team;
let ada: string;
let grace: string;
let sent: HttpRequest[] = [];

beforeAll(async () => {
  server = await startOauthServer();
  const { http } = nodePorts();
  const request = (asked: HttpRequest) => {
    sent.push(asked);
    return http.request(asked);
  };
  team = await startTeam(
    {
      servers: {
        work: { type: "http", url: server.url },
        local: { ...stdioServer("tools-server.mjs") },
        secret: { type: "http", url: server.url },
      },
      policy: {
        rules: [{ who: ["*"], servers: ["secret"], then: "deny" }],
        otherwise: "allow",
      },
      limits: { pagesPerMinute: 10_000 },
    },
    { host: { ports: { http: { request, close: http.close } } } },
  );
});
afterAll(async () => {
  await team[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
/** People start without a sign-in, so that tests do not depend on each other. */
const newPeople = async (): Promise<void> => {
  ada = await team.token(`ada-${Math.random()}`);
  grace = await team.token(`grace-${Math.random()}`);
};
beforeAll(newPeople);
afterEach(newPeople);

const echo = (token: string): ReturnType<Team["send"]> =>
  team.send(token, "tools/call", { name: "echo", arguments: { text: "hi" } }, "/mcp/s/work");

const linkIn = (value: unknown): string =>
  /http:\/\/[^\s"]+\/sign-in\/[\w-]{43}/.exec(JSON.stringify(value))?.[0] ?? "";

/** Gets a link for a person by calling a tool. */
const linkOf = async (token: string): Promise<string> => linkIn((await echo(token)).body);

async function browserOf(token: string): Promise<TeamBrowser> {
  const browser = team.browser();
  expect((await browser.signIn(token)).status).toBe(303);
  return browser;
}

/** Signs in at the authorization server. Returns the address to which it redirects. */
async function authorize(browser: TeamBrowser, link: string): Promise<string> {
  const { next = "" } = await browser.post(link);
  expect(next).toContain("code_challenge_method=S256");
  return browse(next, `${new URL(team.url).origin}/sign-in/callback`);
}

describe("the first call that needs a sign-in", () => {
  test("returns a link if the client cannot be asked, and the call works afterwards", async () => {
    const { body } = await echo(ada);
    expect(body).toMatchObject({ result: { isError: true } });
    const link = linkIn(body);
    expect(await linkOf(ada)).toBe(link);
    const browser = await browserOf(ada);
    const shown = await browser.get(link);
    expect([shown.status, shown.text]).toEqual([200, expect.stringContaining(server.url)]);
    const done = await browser.get(await authorize(browser, link));
    expect([done.status, done.text]).toEqual([200, expect.stringContaining("Signed in to work")]);
    expect((await echo(ada)).body).toMatchObject({ result: { content: [{ text: "hi" }] } });
    expect((await echo(grace)).body).toMatchObject({ result: { isError: true } });
  });

  test("is named as the reason if a tool is called by a name that is not listed yet", async () => {
    const call = { name: "work_echo", arguments: { text: "hi" } };
    const { body } = await team.send(ada, "tools/call", call);
    const { message } = body["error"] as { message: string };
    expect(message).toMatch(/^"work" could not list what it offers: .*requires you to sign in/);
  });

  test.each(["legacy", "modern"] as const)(
    "asks a %s client to open the page, and then continues",
    async (era) => {
      const browser = await browserOf(ada);
      const client = await team.connect(ada, era, {
        path: "/mcp/s/work",
        capabilities: { elicitation: { url: {} } },
      });
      const asked: JsonObject[] = [];
      client.setRequestHandler("elicitation/create", async ({ params }) => {
        asked.push(params as unknown as JsonObject);
        await browser.get(await authorize(browser, linkIn(params)));
        return { action: "accept" };
      });
      const result = await client.callTool({ name: "echo", arguments: { text: "hi" } });
      expect(result.content).toEqual([{ type: "text", text: "hi" }]);
      expect(asked).toMatchObject([{ mode: "url", message: "Sign in to work" }]);
    },
  );

  test("fails with the link if the person refuses", async () => {
    const client = await team.connect(ada, "legacy", {
      path: "/mcp/s/work",
      capabilities: { elicitation: { url: {} } },
    });
    client.setRequestHandler("elicitation/create", async () => ({ action: "decline" }));
    const result = await client.callTool({ name: "echo", arguments: { text: "hi" } });
    expect(result.isError).toBe(true);
    expect(linkIn(result)).not.toBe("");
  });

  test("is explained by a tool while the server's own tools are unknown", async () => {
    const names = async (): Promise<unknown> => {
      const { body } = await team.send(ada, "tools/list");
      return ((body["result"] as JsonObject)["tools"] as JsonObject[]).map(({ name }) => name);
    };
    await names(); // the first list learns what the server needs
    expect(await names()).toContain("plugboard_connect");
    const { body } = await team.send(ada, "tools/call", {
      name: "plugboard_connect",
      arguments: { server: "work" },
    });
    expect(linkIn(body)).not.toBe("");
    const hidden = await team.send(ada, "tools/call", {
      name: "plugboard_connect",
      arguments: { server: "secret" },
    });
    expect(linkIn(hidden.body)).toBe("");
  });
});

describe("a link", () => {
  test("can be used only by its person", async () => {
    const link = await linkOf(ada);
    const [stranger, other] = [team.browser(), await browserOf(grace)];
    expect(await stranger.get(link)).toMatchObject({
      status: 303,
      next: expect.stringMatching(/^\/login\?return=/),
    });
    expect(await stranger.post(link)).toMatchObject({ status: 303 });
    for (const page of [await other.get(link), await other.post(link)]) {
      expect(page.status).toBe(403);
      expect(page.text).not.toContain(server.url);
    }
  });

  test("cannot be finished by another person, not even with the right answer", async () => {
    const [mine, hers] = [await browserOf(ada), await browserOf(grace)];
    const answer = await authorize(mine, await linkOf(ada));
    expect((await hers.get(answer)).status).toBe(403);
    expect((await team.browser().get(answer)).status).toBe(303);
    expect((await echo(grace)).body).toMatchObject({ result: { isError: true } });
    expect((await mine.get(answer)).status).toBe(200);
    expect((await mine.get(answer)).status).toBe(403);
  });

  test("of an attacker does not connect the attacker's account to a victim", async () => {
    const attacker = await browserOf(grace);
    const answer = await authorize(attacker, await linkOf(grace));
    const victim = await browserOf(ada);
    expect((await victim.get(answer)).status).toBe(403);
    expect((await echo(ada)).body).toMatchObject({ result: { isError: true } });
  });

  test.each([
    ["an unknown link", "/sign-in/".padEnd(52, "A")],
    ["a link of another form", "/sign-in/short"],
  ])("%s does not exist", async (_, path) => {
    const browser = await browserOf(ada);
    expect((await browser.get(path)).status).toBe(404);
  });

  test("needs a form of this gateway", async () => {
    const link = await linkOf(ada);
    const browser = await browserOf(ada);
    for (const headers of [{}, { origin: "https://evil.example" }, { origin: "null" }])
      expect((await browser.post(link, {}, headers)).status).toBe(403);
    const { origin } = new URL(team.url);
    expect((await browser.post(link, {}, { origin, "sec-fetch-site": "cross-site" })).status).toBe(403);
  });
});

describe("the page of a person's sign-ins", () => {
  test("signs out, so that the next call needs a sign-in again", async () => {
    const browser = await browserOf(ada);
    await browser.get(await authorize(browser, await linkOf(ada)));
    expect((await echo(ada)).body).toMatchObject({ result: { content: [{ text: "hi" }] } });
    const shown = await browser.get("/connections");
    expect(shown.text).toContain("signed-in");
    expect(shown.text).not.toContain("secret");
    await browser.post("/connections", { server: "work", action: "sign-out" });
    expect((await echo(ada)).body).toMatchObject({ result: { isError: true } });
    const again = await browser.post("/connections", { server: "work", action: "sign-in" });
    expect(again.next).toMatch(/^\/sign-in\/[\w-]{43}$/);
    expect(await browser.post("/connections", { server: "secret", action: "sign-in" })).toMatchObject({
      next: "/connections",
    });
  });

  test("is shown only to people who are signed in, with headers that keep other pages out", async () => {
    const browser = team.browser();
    expect(await browser.get("/connections")).toMatchObject({
      status: 303,
      next: "/login?return=%2Fconnections",
    });
    expect((await browser.signIn("pb_wrong")).status).toBe(401);
    const limited = await team.token("limited", { readOnly: true });
    expect((await browser.signIn(limited)).text).toContain("This token is limited");
    await browser.signIn(ada);
    const { headers } = await browser.get("/connections");
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none';.*frame-ancestors 'none'/);
    expect(headers.get("x-frame-options")).toBe("DENY");
    await browser.post("/logout");
    expect((await browser.get("/connections")).status).toBe(303);
  });

  test("ends with the token that it was opened with", async () => {
    const token = await team.token("revoked", {}, "stolen");
    const browser = team.browser();
    await browser.signIn(token);
    expect(await browser.get("/connections")).toMatchObject({ status: 200 });
    const stolen = (await team.store.tokens.list()).find(({ name }) => name === "stolen");
    await team.store.tokens.revoke(stolen?.id ?? "");
    await expect
      .poll(async () => (await team.send(token, "tools/list")).status, { timeout: 10_000 })
      .toBe(401);
    expect(await browser.get("/connections")).toMatchObject({ status: 303 });
  });

  test.each([
    `/${"a".repeat(2_100)}`, // it is stored until the sign-in ends
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "/a\r\nx: y",
    "javascript:alert(1)",
  ])("a sign-in never leads to %j", async (back) => {
    const browser = team.browser();
    const page = await browser.post(`/login?return=${encodeURIComponent(back)}`, { token: ada });
    expect(page.next).toBe("/connections");
  });
});

test("no inbound token ever goes to a server or an identity provider", async () => {
  sent = [];
  const browser = await browserOf(ada);
  await browser.get(await authorize(browser, await linkOf(ada)));
  await echo(ada);
  await team.send(ada, "tools/call", { name: "local_echo", arguments: { text: "x" } });
  await team.send(ada, "tools/list");
  expect(sent.length).toBeGreaterThan(5);
  const texts = sent.map(({ url, headers, body }) => JSON.stringify([url.href, headers, body]));
  expect(texts.filter((text) => text.includes(ada) || text.includes(ada.slice(3, 30)))).toEqual([]);
  expect(texts.some((text) => text.includes('"authorization":"Bearer '))).toBe(true);
});
