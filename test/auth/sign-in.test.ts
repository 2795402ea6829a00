import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Host, HostOptions } from "../../src/index.ts";
import type { Clock, Http } from "../../src/platform/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { eventsOf, failureOf, hostErrorOf, hostIn } from "../flow/host-in.ts";
import { browse, type OauthServer, startOauthServer } from "../support/oauth-server.ts";
import { createQuickClock } from "../support/quick-clock.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

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

const hostOf = (options: HostOptions = {}, oauth?: boolean | object): Promise<Host> =>
  hostIn(sandbox, {
    servers: {
      notes: { type: "http", url: server.url, ...(oauth !== undefined && { oauth: oauth as boolean }) },
    },
    ...options,
  });
const signIn = (host: Host, account?: string) =>
  host.signIns.login("notes", {
    browser: false,
    onSignIn: (url) => void browse(url),
    ...(account !== undefined && { account }),
  });
/** Returns what changed at the server during an action. */
async function seen(action: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await server.control();
  await action();
  const after = await server.control();
  const numbers = ({ registrations, authorizations, grants, refusals }: typeof before) => ({
    registrations,
    authorizations,
    ...grants,
    ...refusals,
  });
  const start: Record<string, number> = numbers(before);
  const changes = Object.entries(numbers(after)).map(([key, value]) => [key, value - (start[key] ?? 0)]);
  return Object.fromEntries(changes.filter(([, value]) => value !== 0));
}

describe("signing in", () => {
  test("a call that gets a 401 fails immediately with instructions, and works after the sign-in without a restart", async () => {
    await using host = await hostOf();
    const events = eventsOf(host);
    const error = await hostErrorOf(host.call("notes", "echo", HI));
    expect([error.code, error.reason, error.message]).toEqual([
      "INTERACTION_REQUIRED",
      "signIn",
      '"notes" requires you to sign in: you are not signed in.',
    ]);
    expect(host.servers()[0]?.state).toBe("needs_auth");
    expect(events).toContainEqual({ type: "input.needed", server: "notes", reason: "signIn" });

    const pages: Promise<string>[] = [];
    const changes = await seen(async () => {
      const signedIn = await host.signIns.login("notes", {
        browser: false,
        onSignIn: (url) => void pages.push(browse(url)),
      });
      expect(signedIn).toMatchObject({
        url: server.url,
        account: "default",
        state: "signed-in",
        renewable: true,
      });
      expect((await host.call("notes", "echo", HI)).text).toContain("hi");
    });
    expect(changes).toEqual({ registrations: 1, authorizations: 1, authorization_code: 1 });
    expect(host.servers()[0]?.state).toBe("connected");
    expect(await pages[0]).toContain("You are signed in");
  });

  test("if the user can be asked, the call waits for the sign-in, which all callers share", async () => {
    const urls: string[] = [];
    await using host = await hostOf({
      ports: { browser: { open: async (url) => (urls.push(url.href), void browse(url.href), true) } },
      onSignIn: (url, { opened, server: name }) => void urls.push(`${url} ${opened} ${name}`),
    });
    const changes = await seen(async () => {
      const results = await Promise.all([1, 2, 3].map(() => host.call("notes", "echo", HI)));
      expect(results.map(({ isError }) => isError)).toEqual([false, false, false]);
    });
    expect(changes).toMatchObject({ authorizations: 1, authorization_code: 1 });
    expect(urls[1]).toBe(`${urls[0]} true notes`);
  });

  test("the final URL of the browser can be pasted, and so can the code alone", async () => {
    await using host = await hostOf();
    for (const part of ["address", "code"] as const) {
      await host.signIns.login("notes", {
        browser: false,
        onSignIn: async (url) => {
          const back = new URL(url).searchParams.get("redirect_uri") ?? "";
          const address = await browse(url, back);
          return part === "address" ? `  ${address}\n` : (new URL(address).searchParams.get("code") ?? "");
        },
      });
      expect((await host.call("notes", "echo", HI)).isError).toBe(false);
    }
  });

  test("a code can be entered on another device", async () => {
    const now = nodePorts().clock;
    await using host = await hostOf({
      // The server requests five seconds between polls. The test skips them.
      ports: { clock: { now: now.now, after: (ms, done) => now.after(ms === 5_000 ? 20 : ms, done) } },
    });
    const shown: (string | undefined)[] = [];
    await host.signIns.login("notes", {
      browser: false,
      device: true,
      onSignIn: async (url, { userCode }) => {
        shown.push(userCode);
        await confirmDevice(url);
      },
    });
    expect(shown[0]).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
  });

  test("a network failure during a device sign-in does not end it", async () => {
    const { clock, http } = nodePorts();
    let asked = 0;
    let isPauseNext = false;
    const flaky: Http = {
      close: () => http.close(),
      request(request) {
        if (request.url.pathname !== "/token") return http.request(request);
        asked += 1;
        const broken = Object.assign(new Error("read ECONNRESET"), { sent: true, reused: true });
        isPauseNext = asked === 1;
        return isPauseNext ? Promise.reject(broken) : http.request(request);
      },
    };
    // The test skips the pauses between polls, but not the timeout of a poll.
    const after: Clock["after"] = (ms, done) => {
      const isPause = ms === 5_000 || isPauseNext;
      isPauseNext = false;
      return clock.after(isPause ? 20 : ms, done);
    };
    await using host = await hostOf({ ports: { clock: { now: clock.now, after }, http: flaky } });
    await host.signIns.login("notes", {
      browser: false,
      device: true,
      onSignIn: (url) => void confirmDevice(url),
    });
    expect(asked).toBeGreaterThan(1);
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
  });

  test.each([false, true])(
    "a prompt can cancel the sign-in, and its signal aborts when it ends (by device: %s)",
    async (device) => {
      const clock = createQuickClock(1);
      await using host = await hostOf({ ports: { clock } });
      const signals: AbortSignal[] = [];
      const calledOff = host.signIns.login("notes", {
        browser: false,
        device,
        onSignIn: async (_url, { signal }) => {
          signals.push(signal);
          throw new Error("not now");
        },
      });
      expect(await failureOf(calledOff)).toMatchObject({
        code: "AUTH_FAILED",
        message: "OAuth authentication failed: not now",
      });
      expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
      expect(clock.pending()).toBe(0);
      expect(await host.signIns.list()).toEqual([]);
    },
  );

  test("a client is registered once per authorization server, and again if that no longer accepts it", async () => {
    await using host = await hostOf();
    await signIn(host);
    expect(await seen(() => signIn(host))).toEqual({ authorizations: 1, authorization_code: 1 });
    await server.control("forget-clients");
    // The sign-in page rejects the client, but only the token endpoint reports it to this program.
    const pasted = host.signIns.login("notes", { browser: false, onSignIn: pasteOnce() });
    await pasted;
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
  });

  test("a registration that the sign-in page rejects is replaced the next time", async () => {
    await using host = await hostOf();
    await signIn(host);
    await server.control("forget-clients");
    const abort = new AbortController();
    const stuck = host.signIns.login("notes", {
      browser: false,
      signal: abort.signal,
      onSignIn: async (url) => {
        expect(await browse(url)).toContain("invalid_client");
        abort.abort();
      },
    });
    await expect(stuck).rejects.toThrow("cancelled");
    expect(await seen(() => signIn(host))).toMatchObject({ registrations: 1, authorization_code: 1 });
  });

  test("an unfinished sign-in ends after five minutes with an error", async () => {
    const clock = nodePorts().clock;
    await using host = await hostOf({
      ports: { clock: { now: clock.now, after: (ms, done) => clock.after(ms === 300_000 ? 1 : ms, done) } },
    });
    expect(
      await failureOf(host.signIns.login("notes", { browser: false, onSignIn: () => {} })),
    ).toMatchObject({
      code: "AUTH_TIMEOUT",
      message: "OAuth flow timed out. Please try again.",
    });
  });

  test("a sign-in without a browser and a prompt ends immediately", async () => {
    await using host = await hostOf({ ports: { browser: { open: async () => false } } });
    expect((await failureOf(host.signIns.login("notes"))).message).toBe(
      "OAuth authentication failed: a browser could not be opened, and this program cannot show you the URL",
    );
    await using shown = await hostOf({ onSignIn: (url) => void browse(url) });
    expect((await shown.signIns.login("notes", { browser: false })).state).toBe("signed-in");
  });

  test("a callback port that is in use is reported immediately", async () => {
    await using host = await hostOf({}, { callbackPort: Number(new URL(server.url).port) });
    const { code, message } = await failureOf(signIn(host));
    expect([code, message]).toEqual([
      "AUTH_FAILED",
      `OAuth authentication failed: port ${new URL(server.url).port} is already in use by another program`,
    ]);
  });

  test("a server without OAuth endpoints gets its own error", async () => {
    const url = `${new URL(server.url).origin}/elsewhere`;
    await using host = await hostIn(sandbox, { servers: { notes: { type: "http", url } } });
    expect((await failureOf(signIn(host))).message).toBe(
      'Authentication required for "notes", but OAuth endpoints could not be discovered. Use /mcp add notes (wizard) or configure auth manually.',
    );
  });

  test("`oauth: false` and a configured header disable OAuth", async () => {
    await using off = await hostOf({}, false);
    expect((await failureOf(off.call("notes", "echo", HI))).code).toBe("AUTH_REQUIRED");
    expect((await failureOf(signIn(off))).message).toBe('Server "notes" does not sign in with OAuth.');
    await using own = await hostIn(sandbox, {
      servers: { notes: { type: "http", url: server.url, headers: { authorization: "Bearer wrong" } } },
    });
    expect((await failureOf(own.call("notes", "echo", HI))).code).toBe("AUTH_REQUIRED");
  });

  test("tokens are only in the vault, and never in plain text", async () => {
    await using host = await hostOf();
    await signIn(host);
    await host.call("notes", "echo", HI);
    await host.close(); // deferred writes are complete then
    const files = await readdir(sandbox.home, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), "utf8")),
    );
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.filter((text) => /accessToken|refreshToken|access_token/.test(text))).toEqual([]);
  });
});

describe("an existing sign-in", () => {
  test("is renewed once for all callers when the server rejects its token", async () => {
    await using host = await hostOf();
    await signIn(host);
    await host.call("notes", "echo", HI);
    await server.control("expire");
    const changes = await seen(async () => {
      const results = await Promise.all(Array.from({ length: 8 }, () => host.call("notes", "echo", HI)));
      expect(results.every(({ isError }) => !isError)).toBe(true);
    });
    expect(changes).toEqual({ refresh_token: 1 });
  });

  test.each([
    ["forward", 7_200_000, { refresh_token: 1 }],
    ["back", -7_200_000, {}],
  ])("survives a clock that is moved %s by two hours", async (_, by, expected) => {
    await using before = await hostOf();
    await signIn(before);
    const { clock } = nodePorts();
    await using host = await hostOf({ ports: { clock: { ...clock, now: () => clock.now() + by } } });
    const changes = await seen(() => host.call("notes", "echo", HI));
    expect(changes).toEqual(expected);
  });

  test("that was revoked requires a new sign-in, with the reason, and is not tried again", async () => {
    await using host = await hostOf();
    await signIn(host);
    await host.call("notes", "echo", HI);
    await server.control("revoke");
    const error = await hostErrorOf(host.call("notes", "echo", HI));
    expect([error.code, error.reason, error.message]).toEqual([
      "INTERACTION_REQUIRED",
      "signIn",
      '"notes" requires you to sign in: the sign-in is no longer valid (invalid_grant).',
    ]);
    expect(await seen(() => host.call("notes", "echo", HI).catch(() => {}))).toEqual({});
    expect((await host.signIns.list())[0]).toMatchObject({ state: "ended" });
    await signIn(host);
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
  });

  test("requests all scopes together when a call needs more, and only once", async () => {
    await using host = await hostOf();
    await signIn(host);
    await server.control("require?scope=mcp:write");
    const error = await hostErrorOf(host.call("notes", "echo", HI));
    expect([error.reason, error.message]).toEqual([
      "signIn",
      '"notes" requires you to sign in: this request needs additional scopes (mcp:write).',
    ]);
    const urls: string[] = [];
    await host.signIns.login("notes", {
      browser: false,
      onSignIn: (url) => (urls.push(url), void browse(url)),
    });
    const asked = new URL(urls[0] ?? "").searchParams.get("scope")?.split(" ").sort();
    expect(asked).toEqual(["mcp:read", "mcp:write", "offline_access"]);
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);

    await server.control("require?scope=mcp:never");
    await hostErrorOf(host.call("notes", "echo", HI));
    await signIn(host);
    // The scope was requested but not granted, so another sign-in would not help.
    expect((await failureOf(host.call("notes", "echo", HI))).code).toBe("TOOL_CALL_FAILED");
  });

  test("is not used if the server moves to another authorization server", async () => {
    await using own = await startOauthServer();
    await using host = await hostIn(sandbox, { servers: { notes: { type: "http", url: own.url } } });
    await signIn(host);
    await host.call("notes", "echo", HI);
    const { issuer } = await own.control("migrate");
    const error = await hostErrorOf(host.call("notes", "echo", HI));
    expect(error.message).toMatch(
      /^"notes" requires you to sign in: the server no longer accepts tokens from 127\.0\.0\.1:\d+\.$/,
    );
    expect((await own.control()).grants).toEqual({ authorization_code: 1 });
    await signIn(host);
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
    const views = await host.signIns.list();
    expect(views.map((view) => view.issuer)).toEqual([issuer]);
    expect((await own.control()).registrations).toBe(2);
  });

  test("can be one of several named accounts; one is current, others are used on request", async () => {
    await using host = await hostOf();
    await signIn(host);
    await signIn(host, "work");
    const accounts = async () =>
      (await host.signIns.list()).map(({ account, current }) => `${account} ${current}`).sort();
    expect(await accounts()).toEqual(["default true", "work false"]);
    await host.call("notes", "echo", HI);
    const { tokens } = await server.control();
    await host.call("notes", "echo", HI);
    expect((await server.control()).tokens).toBe(tokens);
    expect((await host.call("notes", "echo", HI, { account: "work" })).isError).toBe(false);
    expect((await server.control()).tokens).toBe(tokens + 1);
    const nobody = await hostErrorOf(host.call("notes", "echo", HI, { account: "nobody" }));
    expect([nobody.reason, nobody.account, nobody.message]).toEqual([
      "signIn",
      "nobody",
      '"notes" requires you to sign in: you are not signed in as "nobody".',
    ]);
    await host.signIns.use("notes", "work");
    expect(await accounts()).toEqual(["default false", "work true"]);
    expect(await host.signIns.logout("notes", { account: "work" })).toEqual(["work"]);
    expect(await accounts()).toEqual(["default true"]);
    expect((await failureOf(host.signIns.use("notes", "work"))).message).toBe(
      'You are not signed in to "notes" as "work".',
    );
  });

  test("of another account has that account's tools, regardless of the current account", async () => {
    await using writer = await hostOf({}, { scope: "mcp:read mcp:write" });
    await signIn(writer, "work");
    await using host = await hostOf();
    await signIn(host);
    await host.signIns.use("notes", "default");
    const offered = async (account?: string) =>
      (await host.tools("notes", { account })).map(({ tool }) => tool).includes("publish");
    expect([await offered(), await offered("work"), await offered()]).toEqual([false, true, false]);
    expect((await host.call("notes", "publish", {}, { account: "work" })).text).toBe("published");
    expect((await failureOf(host.call("notes", "publish"))).code).toBe("TOOL_UNKNOWN");
    const [publish] = (await host.tools("notes", { account: "work" })).filter(
      ({ tool }) => tool === "publish",
    );
    expect((await publish?.execute({}))?.text).toBe("published");
    const auth = { type: "oauth", account: "work" };
    const servers = { notes: { type: "http", url: server.url, auth } } as const;
    await using chosen = await hostIn(sandbox, { servers }); // as a project's entry can do
    expect((await chosen.call("notes", "publish")).text).toBe("published");
    await host.signIns.logout("notes", { account: "default" });
    await using alone = await hostOf();
    expect((await alone.call("notes", "publish", {}, { account: "work" })).text).toBe("published");
  });

  test("ends with a logout, which also revokes it at the authorization server", async () => {
    await using host = await hostOf();
    await signIn(host);
    await host.call("notes", "echo", HI);
    const { alive } = await server.control();
    expect(await host.signIns.logout("notes")).toEqual(["default"]);
    expect((await server.control()).alive).toBeLessThan(alive);
    expect(await host.signIns.list()).toEqual([]);
    expect((await hostErrorOf(host.call("notes", "echo", HI))).reason).toBe("signIn");
    expect(await host.signIns.logout("notes")).toEqual([]);
  });
});

test("a server that is disabled or no longer configured can be signed out of", async () => {
  await using host = await hostOf();
  await signIn(host);
  const off = { notes: { type: "http", url: server.url, enabled: false } } as const;
  await using without = await hostIn(sandbox, { servers: off });
  expect(await without.signIns.logout("notes")).toEqual(["default"]);
  await signIn(host);
  await using gone = await hostIn(sandbox);
  expect((await failureOf(gone.signIns.logout("notes"))).code).toBe("SERVER_UNKNOWN");
  expect(await gone.signIns.logout(server.url)).toEqual(["default"]);
  expect(await gone.signIns.list()).toEqual([]);
});

/** Enters the code like a user would. */
async function confirmDevice(url: string): Promise<void> {
  const jar = new Map<string, string>();
  let next: string | undefined = url;
  for (let hop = 0; hop < 12 && next !== undefined; hop += 1) {
    const headers = { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") };
    let response: Response = await fetch(next, { redirect: "manual", headers });
    const keep = (): void => {
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
        headers.cookie = [...jar].map(([key, text]) => `${key}=${text}`).join("; ");
      }
    };
    keep();
    const body = response.status === 200 ? await response.text() : "";
    const action = /action="([^"]+)"/.exec(body)?.[1];
    if (action !== undefined) {
      const fields = [...body.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(
        ([, name = "", value = ""]) => [name, value],
      );
      const form = new URLSearchParams([...fields, ["confirm", "yes"]] as [string, string][]);
      response = await fetch(new URL(action, next), {
        method: "POST",
        body: form,
        redirect: "manual",
        headers,
      });
      keep();
    }
    const location = response.headers.get("location");
    next = location === null ? undefined : new URL(location, next).href;
  }
}

/** Returns the final URL if the authorization server redirects, otherwise an invalid code. */
function pasteOnce(): (url: string) => Promise<string> {
  return async (url) => {
    const back = new URL(url).searchParams.get("redirect_uri") ?? "";
    const end = await browse(url, back);
    return end.startsWith("http") ? end : "no-such-code";
  };
}
