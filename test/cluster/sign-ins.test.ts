import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Era } from "../support/gateway-clients.ts";
import { browse, type OauthServer, startOauthServer } from "../support/oauth-server.ts";
import { noPostgres } from "../support/postgres.ts";
import { createBrowser, type TeamBrowser } from "../support/team.ts";
import { type ClusterWorld, createClusterWorld } from "./cluster-world.ts";

const linkIn = (value: unknown): string =>
  /http:\/\/[^\s"]+\/sign-in\/[\w-]{43}/.exec(JSON.stringify(value))?.[0] ?? "";

describe.skipIf(noPostgres !== undefined)("a person's sign-in at a server, with several nodes", () => {
  let server: OauthServer;
  let world: ClusterWorld;
  beforeAll(async () => {
    server = await startOauthServer();
    world = await createClusterWorld({
      servers: { work: { type: "http", url: server.url } },
      limits: { pagesPerMinute: 10_000, requestsPerSecond: 10_000, burst: 10_000 },
    });
    for (let node = 0; node < 3; node += 1) await world.startLocal();
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  async function browserOf(token: string): Promise<TeamBrowser> {
    const browser = createBrowser(world.balancer.origin);
    expect((await browser.signIn(token)).status).toBe(303);
    return browser;
  }

  /** Opens the link and signs in. The balancer sends every step to another node. */
  async function signIn(browser: TeamBrowser, link: string): Promise<string> {
    expect((await browser.get(link)).status).toBe(200);
    const { next = "" } = await browser.post(link);
    const callback = await browse(next, `${world.balancer.origin}/sign-in/callback`);
    return (await browser.get(callback)).text;
  }

  test("is finished whichever node gets its steps, by its person only", async () => {
    const [ada, grace] = [await world.token("ada"), await world.token("grace")];
    const client = await world.client(ada, `${world.balancer.origin}/mcp/s/work`).initialize();
    const call = { name: "echo", arguments: { text: "hi" } };
    const { body } = await client.post("tools/call", call);
    expect(body).toMatchObject({ result: { isError: true } });
    const link = linkIn(body);
    const [mine, other] = [await browserOf(ada), await browserOf(grace)];
    const { next = "" } = await mine.post(link);
    const callback = await browse(next, `${world.balancer.origin}/sign-in/callback`);
    for (let node = 0; node < 3; node += 1)
      expect((await other.get(callback)).text).toContain("does not belong to one of your sign-ins");
    expect((await mine.get(callback)).text).toContain("Signed in to work");
    expect((await mine.get(callback)).text).toContain("does not belong to one of your sign-ins");
    for (let node = 0; node < 3; node += 1)
      expect((await client.post("tools/call", call)).body).toMatchObject({
        result: { content: [{ text: "hi" }] },
      });
  });

  test("is over on every node when the person signs out on one", async () => {
    const lin = await world.token("lin");
    const browser = await browserOf(lin);
    const client = await world.client(lin, `${world.balancer.origin}/mcp/s/work`).initialize();
    const call = async () =>
      (await client.post("tools/call", { name: "echo", arguments: { text: "hi" } })).body;
    expect(await signIn(browser, linkIn(await call()))).toContain("Signed in to work");
    expect(await call()).toMatchObject({ result: { content: [{ text: "hi" }] } });
    for (let node = 0; node < 3; node += 1) {
      await browser.post("/connections", { server: "work", action: "sign-out" });
      const out = await call();
      expect(out).toMatchObject({ result: { isError: true } });
      expect(await signIn(browser, linkIn(out))).toContain("Signed in to work");
      expect(await call()).toMatchObject({ result: { content: [{ text: "hi" }] } });
    }
  });

  test.each<Era>(["legacy", "modern"])(
    "lets a waiting call of a %s client continue on every node",
    async (era) => {
      for (let start = 0; start < 3; start += 1) {
        const token = await world.token(`person ${era} ${start}`);
        const browser = await browserOf(token);
        const mode = era === "legacy" ? "legacy" : { pin: "2026-07-28" };
        const client = new Client(
          { name: "test", version: "1.0.0" },
          { versionNegotiation: { mode }, capabilities: { elicitation: { url: {} } } },
        );
        const headers = { authorization: `Bearer ${token}` };
        await client.connect(
          new StreamableHTTPClientTransport(new URL(`${world.url}/s/work`), { requestInit: { headers } }),
        );
        client.setRequestHandler("elicitation/create", async ({ params }) => {
          expect(await signIn(browser, linkIn(params))).toContain("Signed in to work");
          return { action: "accept" };
        });
        const result = await client.callTool({ name: "echo", arguments: { text: "hi" } });
        expect(result.content).toEqual([{ type: "text", text: "hi" }]);
        await client.close();
      }
    },
  );
});
