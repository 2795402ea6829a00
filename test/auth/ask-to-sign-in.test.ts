import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Host, HostEvent, HostOptions } from "../../src/index.ts";
import type { Files, Http } from "../../src/platform/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { eventsOf, eventually, failureOf, hostErrorOf, hostIn, PATIENTLY } from "../flow/host-in.ts";
import { createJumpingClock } from "../support/jumping-clock.ts";
import { browse, type OauthServer, startOauthServer } from "../support/oauth-server.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { startHttpServer, stdioServer } from "../support/test-servers.ts";

const CONFIG = ".plugboard/mcp.json";
const HI = { text: "hi" };
let server: OauthServer;
let sandbox: Sandbox;

beforeAll(async () => {
  server = await startOauthServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  sandbox = await createSandbox();
  await server.control("require");
  return () => sandbox[Symbol.asyncDispose]();
});

interface Asked {
  readonly host: Host;
  /** The sign-in pages that were shown to the user. */
  readonly urls: string[];
  readonly events: HostEvent[];
}

/** A host whose user can be asked. The sign-in ends when the test opens the page. */
async function askingHost({ ports, ...options }: HostOptions = {}): Promise<Asked> {
  const urls: string[] = [];
  const host = await hostIn(sandbox, {
    servers: { notes: { type: "http", url: server.url } },
    ports: { browser: { open: async () => false }, ...ports },
    onSignIn: (url) => void urls.push(url),
    ...options,
  });
  return { host, urls, events: eventsOf(host) };
}

const stateOf = (host: Host, name = "notes") => host.servers().find((one) => one.name === name)?.state;
const statesIn = (events: readonly HostEvent[]) =>
  events.flatMap((event) => (event.type === "server.state" && event.server === "notes" ? [event.state] : []));
const signInEvents = (events: readonly HostEvent[]) =>
  events.filter((event) => event.type === "input.needed" && event.reason === "signIn");
async function pageOf({ urls }: Asked, number = 1): Promise<string> {
  await eventually(() => expect(urls).toHaveLength(number));
  return urls[number - 1] ?? "";
}

describe("while the user signs in", () => {
  test("the state is needs_auth and other servers can start", async () => {
    await using other = await startHttpServer();
    const servers = {
      notes: { type: "http", url: server.url },
      other: { type: "http", url: other.url },
    } as const;
    const asked = await askingHost({ servers, settings: { parallelStarts: 1 } });
    await using host = asked.host;
    const call = host.call("notes", "echo", HI);
    const page = await pageOf(asked);
    expect(stateOf(host)).toBe("needs_auth");
    await host.connect("other");
    expect(stateOf(host, "other")).toBe("connected");
    await browse(page);
    expect((await call).text).toBe("hi");
    expect(statesIn(asked.events)).toEqual(["connecting", "needs_auth", "idle", "connecting", "connected"]);
  });

  test("neither the startup timeout nor the call timeout runs", async () => {
    const { clock, jump } = createJumpingClock();
    const asked = await askingHost({ ports: { clock } });
    await using host = asked.host;
    const starting = host.call("notes", "echo", HI);
    const first = await pageOf(asked);
    jump(240_000); // the sign-in itself times out after five minutes
    await browse(first);
    expect((await starting).text).toBe("hi");
    await server.control("revoke");
    const calling = host.call("notes", "echo", HI);
    const second = await pageOf(asked, 2);
    jump(240_000);
    await browse(second);
    expect((await calling).text).toBe("hi");
  });

  test("other operations that only read lists do not ask for a sign-in", async () => {
    const asked = await askingHost();
    await using host = asked.host;
    expect(await host.tools(PATIENTLY)).toEqual([]);
    expect(await host.session().tools(PATIENTLY)).toEqual([]);
    await host.connectAll();
    expect((await hostErrorOf(host.resources.list("notes"))).reason).toBe("signIn");
    expect([asked.urls, signInEvents(asked.events)]).toEqual([[], []]);
    expect(host.snapshot().missing).toMatchObject([{ server: "notes", errorCode: "INTERACTION_REQUIRED" }]);
  });

  test.each<[string, (host: Host) => Promise<unknown>]>([
    ["tools", (host) => host.tools("notes")],
    ["tools of an account", (host) => host.tools("notes", { account: "work" })],
    ["search", (host) => host.search("echo", { server: "notes" })],
  ])(
    "%s of one server rejects instead of asking, and an event says that a person is needed",
    async (_, use) => {
      const asked = await askingHost();
      await using host = asked.host;
      expect((await hostErrorOf(use(host))).reason).toBe("signIn");
      expect([asked.urls, signInEvents(asked.events)]).toMatchObject([[], [{ server: "notes" }]]);
    },
  );

  test("a call that joins a start made for a list still asks for the sign-in", async () => {
    const asked = await askingHost();
    await using host = asked.host;
    const listing = host.tools(PATIENTLY);
    const call = host.call("notes", "echo", HI);
    expect(await listing).toEqual([]);
    await browse(await pageOf(asked));
    expect((await call).text).toBe("hi");
  });

  test("a reload that denies the tool prevents the call", async () => {
    const entry = { type: "http", url: server.url };
    await sandbox.writeHome(CONFIG, { mcpServers: { notes: entry } });
    const asked = await askingHost({ servers: {} });
    await using host = asked.host;
    const { calls } = await server.control();
    const call = failureOf(host.call("notes", "echo", HI));
    const page = await pageOf(asked);
    await sandbox.writeHome(CONFIG, { mcpServers: { notes: { ...entry, denyTools: ["echo"] } } });
    await host.reload();
    await browse(page);
    expect((await call).code).toBe("TOOL_DENIED");
    expect((await server.control()).calls).toBe(calls);
  });

  test("closing the server or changing its entry does not end the call, which then uses the new entry", async () => {
    await using other = await startHttpServer();
    await sandbox.writeHome(CONFIG, { mcpServers: { notes: { type: "http", url: server.url } } });
    const asked = await askingHost({ servers: {} });
    await using host = asked.host;
    const { calls } = await server.control();
    const call = host.call("notes", "echo", HI);
    const page = await pageOf(asked);
    await host.close("notes");
    await sandbox.writeHome(CONFIG, { mcpServers: { notes: { type: "http", url: other.url } } });
    await host.reload();
    await browse(page);
    expect((await call).text).toBe("hi");
    expect((await server.control()).calls).toBe(calls);
  });
});

describe("an interactive sign-in", () => {
  test("fails the call when it fails, and the state stays needs_auth", async () => {
    const onSignIn = async (): Promise<never> => Promise.reject(new Error("not now"));
    const asked = await askingHost({ onSignIn });
    await using host = asked.host;
    expect(await failureOf(host.call("notes", "echo", HI))).toMatchObject({
      code: "AUTH_FAILED",
      message: "OAuth authentication failed: not now",
    });
    expect(stateOf(host)).toBe("needs_auth");
    expect(signInEvents(asked.events)).toHaveLength(1);
  });

  test("is repeated at most three times", async () => {
    const { http } = nodePorts();
    const request: Http["request"] = async (sent) => {
      const response = await http.request(sent);
      if (sent.url.pathname === "/token" && response.status === 200) await server.control("revoke");
      return response;
    };
    let shown = 0;
    const onSignIn = (url: string): void => {
      shown += 1;
      void browse(url);
    };
    const asked = await askingHost({ ports: { http: { request, close: () => http.close() } }, onSignIn });
    await using host = asked.host;
    expect((await hostErrorOf(host.call("notes", "echo", HI))).reason).toBe("signIn");
    expect([shown, signInEvents(asked.events).length]).toEqual([3, 4]);
  });

  test("signs in the account that the call names, once for all calls that wait", async () => {
    const asked = await askingHost();
    await using host = asked.host;
    const calls = [1, 2].map(() => host.call("notes", "echo", HI, { account: "work" }));
    await browse(await pageOf(asked));
    expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(["hi", "hi"]);
    expect((await host.signIns.list()).map(({ account }) => account)).toEqual(["work"]);
    expect(asked.urls).toHaveLength(1);
  });

  test("requests the missing scopes when a call needs more", async () => {
    const asked = await askingHost();
    await using host = asked.host;
    const first = host.call("notes", "echo", HI);
    await browse(await pageOf(asked));
    await first;
    await server.control("require?scope=mcp:write");
    const second = host.call("notes", "echo", HI);
    const page = await pageOf(asked, 2);
    expect(new URL(page).searchParams.get("scope")).toContain("mcp:write");
    expect(stateOf(host)).toBe("connected");
    const before = asked.events.length;
    await browse(page);
    expect((await second).text).toBe("hi");
    expect(statesIn(asked.events.slice(before))).toEqual(["idle", "connecting", "connected"]);
  });

  test("is also run for a program whose token cannot be renewed", async () => {
    const known = { clientId: "known-client", clientSecret: "its-secret-1" };
    await using own = await startOauthServer(["--client", known.clientId, "--secret", known.clientSecret]);
    const { issuer } = await own.control();
    const oauth = { ...known, authUrl: `${issuer}/auth`, tokenUrl: `${issuer}/token`, scope: "mcp:read" };
    const servers = { notes: { ...stdioServer("tools-server.mjs"), oauth } };
    const { clock, jump } = createJumpingClock();
    const asked = await askingHost({ servers, ports: { clock } });
    await using host = asked.host;
    await host.signIns.login("notes", { browser: false, onSignIn: (url) => void browse(url) });
    await own.control("revoke");
    jump(2 * 3_600_000);
    const call = host.call("notes", "env", { name: "OAUTH_ACCESS_TOKEN" });
    const page = await pageOf(asked);
    expect(stateOf(host)).toBe("needs_auth");
    await browse(page);
    expect((await call).text.length).toBeGreaterThan(20);
  });

  test.each<[string, (host: Host) => Promise<unknown>]>([
    ["connect", (host) => host.connect("notes")],
    ["test", (host) => host.doctor.test("notes")],
    ["complete", (host) => host.prompts.complete("notes", "p", { name: "a", value: "" })],
  ])("also makes %s wait", async (_, use) => {
    const asked = await askingHost();
    await using host = asked.host;
    const used = use(host);
    await browse(await pageOf(asked));
    await used;
    expect(stateOf(host)).toBe("connected");
  });

  test.each<[string, (host: Host) => Promise<unknown>]>([
    ["readResource", (host) => host.resources.read("notes", "x:none")],
    ["getPrompt", (host) => host.prompts.get("notes", "none")],
    ["subscribeResource", (host) => host.resources.subscribe("notes", "x:none", () => {})],
  ])("also makes %s wait, which then fails for another reason", async (_, use) => {
    const asked = await askingHost();
    await using host = asked.host;
    const failed = hostErrorOf(use(host));
    await browse(await pageOf(asked));
    expect((await failed).reason).not.toBe("signIn");
    expect(asked.urls).toHaveLength(1);
  });
});

test("interaction: forbid makes an operation fail immediately, and the host's handler is not used", async () => {
  const asked = await askingHost({ interaction: "forbid" });
  await using host = asked.host;
  expect(await failureOf(host.call("notes", "echo", HI))).toMatchObject({ code: "INTERACTION_REQUIRED" });
  expect([asked.urls, signInEvents(asked.events).length]).toEqual([[], 1]);
  const onSignIn = (url: string): void => void browse(url);
  await host.signIns.login("notes", { onSignIn });
  expect((await host.call("notes", "echo", HI)).text).toBe("hi");
  expect(asked.urls).toEqual([]);
});

test("a sign-in uses the values that were resolved when the server was opened", async () => {
  const keyFile = join(sandbox.home, "key.txt");
  await sandbox.writeHome("key.txt", "a-key-of-the-person");
  const headers = { "x-key": `file:${keyFile}` };
  await sandbox.writeHome(CONFIG, { mcpServers: { notes: { type: "http", url: server.url, headers } } });
  const { files } = nodePorts();
  const reads: string[] = [];
  const noting: Files = new Proxy(files, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function") return member;
      return (path: string, ...rest: unknown[]): unknown => {
        if (path === keyFile) reads.push(String(name));
        return Reflect.apply(member, target, [path, ...rest]) as unknown;
      };
    },
  });
  const asked = await askingHost({ servers: {}, ports: { files: noting } });
  await using host = asked.host;
  const call = host.call("notes", "echo", HI);
  const page = await pageOf(asked);
  expect(reads).toEqual(["read"]);
  await browse(page);
  await call;
  expect(reads).toEqual(["read", "read"]); // by the start that failed, and by the one that succeeded
});
