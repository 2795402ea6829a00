import { describe, expect, test } from "vitest";
import {
  AS,
  fakeAuth,
  MCP,
  METADATA,
  type Received,
  type Reply,
  refusal,
  START,
  subjectOf,
  TOKENS,
} from "../../../test/support/oauth-fakes.ts";
import { ToolAbortError } from "../../model/index.ts";
import { Registrations } from "../discovery/register-client.ts";
import { guardFor } from "../guard/guard-for.ts";
import type { Flow } from "./code-flow.ts";
import { signInWithDevice } from "./device-flow.ts";
import type { SignInOptions, SignInPrompt } from "./sign-in-prompt.ts";

const DEVICE = {
  device_code: "device-code-1",
  user_code: "ABCD-EFGH",
  verification_uri: `${AS}/device-page`,
  expires_in: 600,
};
const SERVER = { ...METADATA, device_authorization_endpoint: `${AS}/device` };
const TOKEN = `${AS}/token`;
const PENDING = refusal("authorization_pending");

interface World {
  readonly device?: object;
  /** The responses to the token requests. The last one is repeated. */
  readonly answers?: readonly (Reply | Error)[];
  readonly options?: Partial<SignInOptions>;
  readonly flow?: Partial<Flow>;
  readonly opens?: boolean;
  readonly metadata?: object;
}

async function signedIn(world: World = {}) {
  const { device = {}, answers = [{ json: TOKENS }], options = {}, flow = {}, metadata = {} } = world;
  const askedAt: number[] = [];
  const prompts: SignInPrompt[] = [];
  const opened: string[] = [];
  const answer = ({ url }: Received): Reply | Error | undefined => {
    if (url === `${AS}/device`) return { json: { ...DEVICE, ...device } };
    if (url === `${AS}/register`) return { status: 201, json: { client_id: "registered" } };
    if (url !== TOKEN) return undefined;
    askedAt.push(deps.ports.clock.now());
    return answers[Math.min(askedAt.length, answers.length) - 1];
  };
  const { deps, received } = fakeAuth(answer);
  const browser = {
    open: async (url: URL) => {
      opened.push(url.href);
      return world.opens === true;
    },
  };
  const ports = { ...deps.ports, browser };
  const show = (_: string, prompt: SignInPrompt): void => void prompts.push(prompt);
  const result = await signInWithDevice({
    ports,
    guard: guardFor(deps, subjectOf(), { server: new URL(`${MCP}/mcp`) }),
    server: "notes",
    settings: { grant: "authorization_code", clientId: "c" },
    plan: { as: { ...SERVER, ...metadata }, manual: false, resource: `${MCP}/mcp`, scope: undefined },
    scope: "read",
    registrations: new Registrations(deps.vault, deps.redactor),
    options: { browser: true, show, ...options },
    ...flow,
  }).catch((error: unknown) => error);
  const sentTo = (url: string) => received.filter((one) => one.url === url).map(({ body }) => body);
  return { result, askedAt, prompts, opened, received, sentTo, deps };
}

describe("a sign-in on another device", () => {
  test("requests a code, shows it, and requests the tokens", async () => {
    const { result, sentTo, prompts, opened } = await signedIn();
    const wanted = { scope: "read", resource: `${MCP}/mcp`, client_id: "c" };
    expect(sentTo(`${AS}/device`)).toStrictEqual([wanted]);
    expect(sentTo(TOKEN)).toStrictEqual([
      {
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        device_code: "device-code-1",
        resource: `${MCP}/mcp`,
        client_id: "c",
      },
    ]);
    expect(opened).toStrictEqual([`${AS}/device-page`]);
    expect(prompts).toMatchObject([
      { server: "notes", url: `${AS}/device-page`, userCode: "ABCD-EFGH", opened: false },
    ]);
    expect(result).toStrictEqual({
      client: { clientId: "c" },
      tokens: {
        accessToken: "access-token-2",
        tokenType: "bearer",
        obtainedAt: START + 5_000,
        scope: "read",
      },
    });
    expect(prompts[0]?.signal.aborted).toBe(true);
  });

  test("requests no scope or resource if there is none", async () => {
    const plan = { as: SERVER, manual: false, resource: undefined, scope: undefined };
    const { sentTo } = await signedIn({ flow: { plan, scope: undefined } });
    expect(sentTo(`${AS}/device`)).toStrictEqual([{ client_id: "c" }]);
    expect(sentTo(TOKEN)[0]).not.toHaveProperty("resource");
  });

  test("prefers the URL that includes the code", async () => {
    const complete = `${AS}/device-page?code=ABCD-EFGH`;
    const { opened, prompts } = await signedIn({
      device: { verification_uri_complete: complete },
      opens: true,
    });
    expect([opened, prompts[0]?.url, prompts[0]?.opened]).toStrictEqual([[complete], complete, true]);
  });

  test("opens no browser if that is not wanted, and works without a prompt", async () => {
    const { opened, result } = await signedIn({ options: { browser: false, show: undefined } });
    expect([opened, result]).toMatchObject([[], { tokens: { accessToken: "access-token-2" } }]);
  });

  test("fails if the authorization server does not support it", async () => {
    const { result, received } = await signedIn({ metadata: { device_authorization_endpoint: undefined } });
    expect(result).toMatchObject({
      name: "Refusal",
      message: "the authorization server does not support device sign-in",
    });
    expect(received).toStrictEqual([]);
  });

  test("never sends the user to a private address", async () => {
    const { result, opened, prompts } = await signedIn({
      device: { verification_uri: "https://192.168.0.1/device" },
    });
    expect(result).toMatchObject({
      name: "Refusal",
      message: expect.stringContaining("the sign-in page"),
    });
    expect([opened, prompts]).toStrictEqual([[], []]);
  });

  test.each<[string, World, number[]]>([
    ["every five seconds", { answers: [PENDING, PENDING, { json: TOKENS }] }, [5, 10, 15]],
    [
      "as often as the server specifies",
      { device: { interval: 2 }, answers: [PENDING, { json: TOKENS }] },
      [2, 4],
    ],
    [
      "five seconds later each time the server requests slow_down",
      { answers: [refusal("slow_down"), PENDING, { json: TOKENS }] },
      [5, 15, 25],
    ],
    [
      "half as often if the server cannot be reached",
      { answers: [new Error("reset"), PENDING, { json: TOKENS }] },
      [5, 15, 25],
    ],
    [
      "every minute at least",
      { device: { interval: 1_000, expires_in: 2_000 }, answers: [PENDING, { json: TOKENS }] },
      [60, 120],
    ],
  ])("asks %s", async (_, world, seconds) => {
    const { askedAt, result } = await signedIn(world);
    expect(askedAt.map((ms) => (ms - START) / 1_000)).toStrictEqual(seconds);
    expect(result).toMatchObject({ tokens: { accessToken: "access-token-2" } });
  });

  test.each<[string, object, number]>([
    ["when the code expires", { expires_in: 20 }, 4],
    ["after a quarter of an hour", { expires_in: 100_000, interval: 60 }, 15],
  ])("gives up %s", async (_, device, times) => {
    const { askedAt, result, prompts } = await signedIn({ device, answers: [PENDING] });
    expect(askedAt).toHaveLength(times);
    expect(result).toMatchObject({
      code: "AUTH_TIMEOUT",
      message: "OAuth flow timed out. Please try again.",
      server: "notes",
    });
    expect(prompts[0]?.signal.aborted).toBe(true);
  });

  test("ends when the user declines", async () => {
    const { askedAt, result, prompts } = await signedIn({ answers: [refusal("access_denied")] });
    expect([askedAt.length, result]).toMatchObject([1, { error: "access_denied" }]);
    expect(prompts[0]?.signal.aborted).toBe(true);
  });

  test("ends when showing the code fails", async () => {
    const show = () => Promise.reject(new Error("no screen"));
    const { askedAt, result } = await signedIn({ options: { show } });
    expect([askedAt, result]).toMatchObject([[], { message: "no screen" }]);
  });

  test("continues regardless of what the prompt returns", async () => {
    const { result } = await signedIn({ options: { show: () => "text" } });
    expect(result).toMatchObject({ tokens: { accessToken: "access-token-2" } });
  });

  test("ends when it is cancelled", async () => {
    const controller = new AbortController();
    const show = () => controller.abort();
    const { askedAt, result, deps } = await signedIn({ options: { show, signal: controller.signal } });
    expect(deps.ports.clock.now()).toBe(START); // it does not wait for the next request
    expect(result).toBeInstanceOf(ToolAbortError);
    expect([askedAt, (result as Error).message]).toStrictEqual([[], "The sign-in was cancelled."]);
  });

  test("succeeds with a signal that does not abort", async () => {
    const { signal } = new AbortController();
    const { result } = await signedIn({ options: { signal } });
    expect(result).toMatchObject({ tokens: { accessToken: "access-token-2" } });
  });

  test("ignores ID tokens", async () => {
    const { result } = await signedIn({ answers: [{ json: { ...TOKENS, id_token: "not.a.token" } }] });
    expect(result).toMatchObject({ tokens: { accessToken: "access-token-2" } });
  });
});

describe("the client for a sign-in on another device", () => {
  const settings = { grant: "authorization_code" } as const;
  const metadata = { registration_endpoint: `${AS}/register` };

  test("is registered if there is none", async () => {
    const { result, sentTo } = await signedIn({ flow: { settings }, metadata });
    expect(result).toMatchObject({ client: { clientId: "registered" } });
    expect(sentTo(`${AS}/register`)).toMatchObject([{ redirect_uris: ["http://127.0.0.1/callback"] }]);
  });

  test("is the one that was registered before", async () => {
    const { deps } = fakeAuth();
    const registrations = new Registrations(deps.vault, deps.redactor);
    await deps.vault.update("oauth.clients", AS, () => ({ clientId: "kept", redirectUri: "" }));
    const { result, sentTo } = await signedIn({ flow: { settings, registrations }, metadata });
    expect(result).toMatchObject({ client: { clientId: "kept" } });
    expect(sentTo(`${AS}/register`)).toStrictEqual([]);
  });

  test("is the one in the config, with its secret", async () => {
    const { result, received } = await signedIn({
      flow: { settings: { ...settings, clientId: "c", clientSecret: "s" } },
      metadata,
    });
    expect(result).toMatchObject({ client: { clientId: "c", clientSecret: "s" } });
    expect(received.map(({ headers }) => headers["authorization"])).toStrictEqual([
      `Basic ${btoa("c:s")}`,
      `Basic ${btoa("c:s")}`,
    ]);
  });

  test("has to be registered manually if the server does not support registration", async () => {
    const { result } = await signedIn({ flow: { settings } });
    expect(result).toMatchObject({ code: "AUTH_CLIENT_REQUIRED", server: "notes" });
  });
});
