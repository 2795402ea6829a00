import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import {
  createAuthWorld,
  createStoppedClock,
  ISSUER,
  SERVER,
  subjectOf,
  type Web,
  type WebAnswer,
  type WebRequest,
} from "../../../test/support/auth-world.ts";
import type { LoopbackAnswer, LoopbackRequest } from "../../platform/index.ts";
import { Registrations } from "../discovery/register-client.ts";
import { guardFor } from "../guard/guard-for.ts";
import type { OauthSettings } from "../oauth-settings.ts";
import { type Flow, type SignedIn, signInWithCode } from "./code-flow.ts";
import type { SignInPrompt } from "./sign-in-prompt.ts";

const TOKEN = `${ISSUER}/token`;
const REGISTER = `${ISSUER}/register`;
const TOKENS: WebAnswer = { json: { access_token: "access-token-1", token_type: "bearer" } };
const AS = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: TOKEN,
  registration_endpoint: REGISTER,
  code_challenge_methods_supported: ["S256"],
};
const refusedToken = (error: string): WebAnswer => ({ status: 400, json: { error } });

/** Registers clients numbered from 1 on. */
function registerPage(): () => WebAnswer {
  let number = 0;
  return () => {
    number += 1;
    return { status: 201, json: { client_id: `registered-${number}` } };
  };
}

interface Setting {
  readonly web?: Web;
  readonly as?: object;
  readonly settings?: Partial<OauthSettings>;
  readonly options?: Partial<Flow["options"]>;
  readonly scope?: string;
  /** Ports that are in use. */
  readonly taken?: readonly number[];
  /** What the browser does with the page. Default: the user signs in. */
  readonly visit?: (page: URL) => unknown;
  /** Whether a browser can be opened. */
  readonly opens?: boolean;
}

/** A sign-in with a browser whose user consents at once, and with local ports from 5001 on. */
function opened(setting: Setting = {}) {
  const { web, as, settings, options, scope, taken = [], visit, opens = true } = setting;
  const listening = new Map<number, (request: LoopbackRequest) => LoopbackAnswer | Promise<LoopbackAnswer>>();
  const pages: URL[] = [];
  const answers: LoopbackAnswer[] = [];
  const closed: number[] = [];
  const clock = createStoppedClock();
  let free = 5_000;
  const world = createAuthWorld(
    { [TOKEN]: TOKENS, [REGISTER]: registerPage(), ...web },
    {
      clock,
      loopback: {
        async listen(wanted, answer) {
          free += 1;
          const port = wanted === 0 ? free : wanted;
          if (taken.includes(port)) throw Object.assign(new Error("in use"), { code: "EADDRINUSE" });
          listening.set(port, answer);
          const close = async (): Promise<void> => {
            listening.delete(port);
            closed.push(port);
          };
          return { port, close };
        },
      },
      browser: {
        async open(page) {
          if (!opens) return false;
          pages.push(page);
          (visit ?? comeBack)(page);
          return true;
        },
      },
    },
  );
  /** Redirects the browser back from the page. */
  function comeBack(page: URL, more: Record<string, string> = { code: "code-1" }): void {
    const back = new URL(page.searchParams.get("redirect_uri") ?? "");
    back.search = String(new URLSearchParams({ state: page.searchParams.get("state") ?? "", ...more }));
    const answer = listening.get(Number(back.port || 80));
    const request = { method: "GET", target: `${back.pathname}${back.search}`, host: back.host };
    void Promise.resolve(answer?.(request)).then((said) => said && answers.push(said));
  }
  const registrations = new Registrations(world.vault, world.redactor);
  const flow: Flow = {
    ports: world.deps.ports,
    guard: guardFor(world.deps, subjectOf(), { server: new URL(SERVER) }),
    server: "notes",
    settings: { grant: "authorization_code", ...settings },
    plan: { as: { ...AS, ...as }, manual: false, resource: SERVER, scope: undefined },
    scope,
    registrations,
    options: { browser: true, show: undefined, ...options },
  };
  const signIn = (): Promise<SignedIn> => signInWithCode(flow);
  return { ...world, clock, signIn, flow, pages, answers, closed, listening, registrations, comeBack };
}

/** Returns the requests to one page. */
function to(page: string, requests: readonly WebRequest[]): WebRequest[] {
  return requests.filter(({ url }) => url === page);
}

describe("a sign-in in the browser", () => {
  test("registers a client, opens the page and exchanges the code", async () => {
    const { signIn, pages, answers, closed, requests, clock } = opened({ scope: "read" });
    clock.move(9);
    expect(await signIn()).toStrictEqual({
      client: { clientId: "registered-1", redirectUri: "http://127.0.0.1:5001/callback" },
      tokens: { accessToken: "access-token-1", tokenType: "bearer", obtainedAt: 9, scope: "read" },
    });
    expect(pages.map(({ origin, pathname }) => `${origin}${pathname}`)).toStrictEqual([
      `${ISSUER}/authorize`,
    ]);
    expect(Object.fromEntries(pages[0]?.searchParams ?? [])).toMatchObject({
      client_id: "registered-1",
      redirect_uri: "http://127.0.0.1:5001/callback",
      scope: "read",
    });
    expect(to(TOKEN, requests)).toMatchObject([{ parameters: { code: "code-1" } }]);
    expect(answers).toMatchObject([{ status: 200 }]);
    expect(closed).toStrictEqual([5001]);
    expect(clock.waiting()).toStrictEqual([]);
  });

  test("uses another state and another verifier each time", async () => {
    const { signIn, pages } = opened();
    await signIn();
    await signIn();
    const [one, two] = pages.map(({ searchParams }) => searchParams);
    for (const name of ["state", "code_challenge"]) {
      expect(one?.get(name)).toMatch(/^[\w-]{43}$/);
      expect(one?.get(name)).not.toBe(two?.get(name));
    }
  });

  test("shows the error in the browser", async () => {
    const { signIn, answers, closed } = opened({ web: { [TOKEN]: refusedToken("server_error") } });
    await expect(signIn()).rejects.toMatchObject({ error: "server_error" });
    expect(answers).toMatchObject([
      { status: 400, body: expect.stringContaining("OAuth authentication failed: server_error") },
    ]);
    expect(closed).toStrictEqual([5001]);
  });

  test("does not use a server without PKCE unless the entry allows it", async () => {
    const as = { code_challenge_methods_supported: undefined };
    const strict = opened({ as });
    await expect(strict.signIn()).rejects.toThrow("PKCE");
    expect(strict.pages).toStrictEqual([]);
    const lax = opened({ as, settings: { allowNoPkce: true } });
    expect((await lax.signIn()).tokens.accessToken).toBe("access-token-1");
  });

  test("authenticates the client with its secret", async () => {
    const { signIn, requests } = opened({ settings: { clientId: "c", clientSecret: "s" } });
    await signIn();
    expect(to(TOKEN, requests)[0]?.headers["authorization"]).toBe(`Basic ${btoa("c:s")}`);
  });
});

describe("the client", () => {
  test.each<[string, Partial<OauthSettings>, string, number]>([
    ["at any free port", {}, "http://127.0.0.1:5001/callback", 5001],
    ["at the port of the config", { callbackPort: 7_777 }, "http://127.0.0.1:7777/callback", 7_777],
    [
      "at the redirect URI in the entry",
      { redirectUri: "http://localhost:7778/back" },
      "http://localhost:7778/back",
      7_778,
    ],
  ])("in the entry is used without a registration, %s", async (_, more, redirectUri, port) => {
    const { signIn, requests, pages, closed } = opened({ settings: { clientId: "client-1", ...more } });
    expect((await signIn()).client).toStrictEqual({ clientId: "client-1" });
    expect(to(REGISTER, requests)).toStrictEqual([]);
    expect(pages[0]?.searchParams.get("redirect_uri")).toBe(redirectUri);
    expect(closed).toStrictEqual([port]);
  });

  test.each<[string, Partial<OauthSettings>, string]>([
    ["any free port", {}, "http://127.0.0.1:<port>/callback"],
    ["the port of the config", { callbackPort: 7_777 }, "http://127.0.0.1:7777/callback"],
    ["the address of the config", { redirectUri: "http://localhost:1/x" }, "http://localhost:1/x"],
  ])("must be in the entry if none can be registered: %s", async (_, settings, redirect) => {
    const { signIn, listening } = opened({ as: { registration_endpoint: undefined }, settings });
    await expect(signIn()).rejects.toMatchObject({
      code: "AUTH_CLIENT_REQUIRED",
      hint: expect.stringContaining(`redirect URI ${redirect},`),
      server: "notes",
    });
    expect(listening.size).toBe(0);
  });

  test("that was registered is used again, at its own port", async () => {
    const { signIn, requests, pages, closed } = opened();
    const [first, second] = [await signIn(), await signIn()];
    expect([first.client.clientId, second.client.clientId]).toStrictEqual(["registered-1", "registered-1"]);
    expect(to(REGISTER, requests)).toHaveLength(1);
    expect(pages[1]?.searchParams.get("redirect_uri")).toBe("http://127.0.0.1:5001/callback");
    expect(closed).toStrictEqual([5001, 5001]);
  });

  test("is registered again if its port is in use", async () => {
    const taken: number[] = [];
    const { signIn, closed } = opened({ taken });
    await signIn();
    taken.push(5001);
    expect((await signIn()).client).toStrictEqual({
      clientId: "registered-2",
      redirectUri: "http://127.0.0.1:5003/callback",
    });
    expect(closed).toStrictEqual([5001, 5003]);
  });

  test("is registered again if the entry names another port", async () => {
    const { signIn, flow, requests } = opened();
    await signIn();
    const settings = { ...flow.settings, callbackPort: 7_777 };
    expect((await signInWithCode({ ...flow, settings })).client).toMatchObject({
      clientId: "registered-2",
      redirectUri: "http://127.0.0.1:7777/callback",
    });
    expect((await signInWithCode({ ...flow, settings })).client.clientId).toBe("registered-2");
    expect(to(REGISTER, requests)).toHaveLength(2);
  });

  test("is registered again if the entry names another redirect URI", async () => {
    const { signIn, flow, pages } = opened();
    await signIn();
    const settings = { ...flow.settings, redirectUri: "http://localhost:7778/back" };
    expect((await signInWithCode({ ...flow, settings })).client.clientId).toBe("registered-2");
    expect(pages[1]?.searchParams.get("redirect_uri")).toBe("http://localhost:7778/back");
  });

  test("that cannot be registered leaves no port open", async () => {
    const { signIn, listening, closed } = opened({ web: { [REGISTER]: { status: 500, json: {} } } });
    await expect(signIn()).rejects.toThrow();
    expect([listening.size, closed]).toStrictEqual([0, [5001]]);
  });

  test("cannot listen on a port that is in use", async () => {
    const { signIn } = opened({ settings: { callbackPort: 7_777 }, taken: [7_777] });
    await expect(signIn()).rejects.toMatchObject({
      message: "OAuth authentication failed: port 7777 is already in use by another program",
      hint: "Stop that program, or set a different callbackPort.",
    });
  });

  test("must have a valid redirect URI", async () => {
    await expect(opened({ settings: { redirectUri: "nowhere" } }).signIn()).rejects.toThrow(
      "redirectUri is not a URL",
    );
  });
});

describe("a registration that the server no longer accepts", () => {
  test.each(["invalid_client", "unauthorized_client"])("is replaced once: %s", async (error) => {
    let isForgotten = false;
    const token = ({ parameters }: WebRequest): WebAnswer =>
      isForgotten && parameters["client_id"] === "registered-1" ? refusedToken(error) : TOKENS;
    const { signIn, pages } = opened({ web: { [TOKEN]: token } });
    await signIn();
    isForgotten = true;
    expect((await signIn()).client.clientId).toBe("registered-2");
    expect(pages).toHaveLength(3);
  });

  test("is not replaced a second time", async () => {
    let isBroken = false;
    const token = (): WebAnswer => (isBroken ? refusedToken("invalid_client") : TOKENS);
    const { signIn, pages } = opened({ web: { [TOKEN]: token } });
    await signIn();
    isBroken = true;
    await expect(signIn()).rejects.toMatchObject({ error: "invalid_client" });
    expect(pages).toHaveLength(3);
  });

  test("is kept if the server refuses for another reason", async () => {
    let isBroken = false;
    const token = (): WebAnswer => (isBroken ? refusedToken("invalid_grant") : TOKENS);
    const { signIn, pages, registrations } = opened({ web: { [TOKEN]: token } });
    await signIn();
    isBroken = true;
    await expect(signIn()).rejects.toMatchObject({ error: "invalid_grant" });
    expect(pages).toHaveLength(2);
    expect((await registrations.find(ISSUER, 0))?.clientId).toBe("registered-1");
  });

  test("is not replaced if it is new or if the entry has a client", async () => {
    for (const settings of [{}, { clientId: "client-1" }]) {
      const { signIn, pages } = opened({ web: { [TOKEN]: refusedToken("invalid_client") }, settings });
      await expect(signIn()).rejects.toMatchObject({ error: "invalid_client" });
      expect(pages).toHaveLength(1);
    }
  });

  test("is kept if the client in the entry is refused", async () => {
    const token = ({ parameters }: WebRequest): WebAnswer =>
      parameters["client_id"] === "client-1" ? refusedToken("invalid_client") : TOKENS;
    const { signIn, flow, registrations, pages } = opened({ web: { [TOKEN]: token } });
    await signIn();
    const settings = { ...flow.settings, clientId: "client-1" };
    await expect(signInWithCode({ ...flow, settings })).rejects.toMatchObject({ error: "invalid_client" });
    expect(pages).toHaveLength(2);
    expect((await registrations.find(ISSUER, 0))?.clientId).toBe("registered-1");
  });

  test.each<[string, (clock: { move(ms: number): void }, abort: AbortController) => void, object]>([
    [
      "times out",
      (clock) => clock.move(5 * 60_000),
      { code: "AUTH_TIMEOUT", message: "OAuth flow timed out. Please try again." },
    ],
    ["is cancelled", (_, abort) => abort.abort(), { message: "The sign-in was cancelled." }],
  ])("is removed if the sign-in %s", async (_, end, expected) => {
    let isSilent = false;
    const abort = new AbortController();
    const setting: Setting = {
      options: { signal: abort.signal },
      visit: (page) => (isSilent ? setImmediate(() => end(world.clock, abort)) : world.comeBack(page)),
    };
    const world = opened(setting);
    await world.signIn();
    isSilent = true;
    await expect(world.signIn()).rejects.toMatchObject(expected);
    expect(await world.registrations.find(ISSUER, 0)).toBeUndefined();
    expect(world.pages).toHaveLength(2);
    expect(world.closed).toStrictEqual([5001, 5001]);
    expect(world.clock.waiting()).toStrictEqual([]);
  });
});

describe("waiting for the user", () => {
  test("continues for five minutes", async () => {
    const world = opened({
      visit: (page) =>
        setImmediate(() => {
          world.clock.move(5 * 60_000 - 1);
          world.comeBack(page);
        }),
    });
    expect((await world.signIn()).tokens.accessToken).toBe("access-token-1");
  });

  test("ends immediately if the sign-in was cancelled before", async () => {
    const { signIn, clock } = opened({ visit: () => {}, options: { signal: AbortSignal.abort() } });
    await expect(signIn()).rejects.toThrow("The sign-in was cancelled.");
    expect(clock.waiting()).toStrictEqual([]);
  });
});

test("a sign-in removes its listener from the signal that can cancel it", async () => {
  const { signal } = new AbortController();
  await opened({ options: { signal } }).signIn();
  expect(getEventListeners(signal, "abort")).toStrictEqual([]);
});

describe("the user", () => {
  test("is shown the URL and whether a browser was opened", async () => {
    for (const opens of [true, false]) {
      const prompts: [string, SignInPrompt][] = [];
      const show = (url: string, prompt: SignInPrompt): void => {
        prompts.push([url, prompt]);
        if (!opens) world.comeBack(new URL(url));
      };
      const world = opened({ opens, options: { show } });
      await world.signIn();
      const [url, prompt] = prompts[0] ?? [];
      expect(url).toMatch(/^https:\/\/as\.example\.com\/authorize\?/);
      expect(prompt).toMatchObject({ server: "notes", url, opened: opens });
      expect(prompt?.signal.aborted).toBe(true);
    }
  });

  test("is shown only the URL if no browser is wanted", async () => {
    const world = opened({ options: { browser: false, show: (url) => world.comeBack(new URL(url)) } });
    await world.signIn();
    expect(world.pages).toStrictEqual([]);
  });

  test.each([
    [true, false],
    [false, true],
  ])("cannot sign in without a browser and without a prompt", async (browser, opens) => {
    const { signIn, closed } = opened({ opens, options: { browser } });
    await expect(signIn()).rejects.toThrow(
      "a browser could not be opened, and this program cannot show you the URL",
    );
    expect(closed).toStrictEqual([5001]);
  });

  test("can paste the final URL of the browser", async () => {
    const show = (url: string): string => {
      const { searchParams } = new URL(url);
      return `${searchParams.get("redirect_uri")}?code=pasted-1&state=${searchParams.get("state")}`;
    };
    const { signIn, requests } = opened({ visit: () => {}, options: { show } });
    await signIn();
    expect(to(TOKEN, requests)).toMatchObject([{ parameters: { code: "pasted-1" } }]);
  });

  test("gets an error for a URL of another sign-in", async () => {
    const show = (): string => "http://127.0.0.1:5001/callback?code=pasted-1&state=other";
    const { signIn } = opened({ visit: () => {}, options: { show } });
    await expect(signIn()).rejects.toThrow("the URL belongs to another sign-in");
  });

  test.each([" ", "", undefined, 7])("can still use the browser after pasting %j", async (answer) => {
    const show = (): unknown => answer;
    const world = opened({
      visit: (page) => setImmediate(() => world.comeBack(page)),
      options: { show },
    });
    await world.signIn();
    expect(to(TOKEN, world.requests)).toMatchObject([{ parameters: { code: "code-1" } }]);
  });

  test("can end the sign-in with an error in the prompt", async () => {
    const show = async (): Promise<never> => {
      throw new Error("the user closed the prompt");
    };
    const { signIn } = opened({ visit: () => {}, options: { show } });
    await expect(signIn()).rejects.toThrow("the user closed the prompt");
  });

  test.each([
    "https://app.example/back",
    "http://app.example/back",
    "http://localhost.example/back",
    "myapp://back",
    "x-http://127.0.0.1/back",
  ])("pastes the code if the redirect URI is on another machine: %s", async (redirectUri) => {
    const { signIn, listening, closed, requests } = opened({
      settings: { clientId: "client-1", redirectUri },
      visit: () => {},
      options: { show: () => "pasted-1" },
    });
    await signIn();
    expect([listening.size, closed]).toStrictEqual([0, []]);
    expect(to(TOKEN, requests)).toMatchObject([
      { parameters: { code: "pasted-1", redirect_uri: redirectUri } },
    ]);
  });

  test.each(["http://127.0.0.1", "http://localhost/", "http://localhost:7777/x", "http://127.0.0.1/x"])(
    "is redirected back to a local address: %s",
    async (redirectUri) => {
      const { signIn, closed } = opened({ settings: { clientId: "client-1", redirectUri } });
      await signIn();
      expect(closed).toHaveLength(1);
    },
  );
});
