import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isHostError } from "../../src/index.ts";
import type { HttpRequest } from "../../src/platform/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { LONGEST_MS, reportTests } from "../durability/counts.ts";
import { hostIn } from "../flow/host-in.ts";
import { browse } from "../support/oauth-server.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { type Attack, startHostileServer } from "./hostile-server.ts";
import { signInWithSdk } from "./sdk-sign-in.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

interface Outcome {
  readonly message: string;
  readonly code: string;
  /** Everything that a program shows when it prints the error. */
  readonly printed: string;
  readonly page: string;
  readonly signIns: number;
  /** Contacted origins other than the server's own. */
  readonly strayed: string[];
  readonly opened: string[];
  readonly seen: readonly string[];
}

/** Runs one sign-in to a hostile server. */
async function signInTo(attack: Attack, oauth: object = {}): Promise<Outcome> {
  await using server = await startHostileServer(attack);
  const reached: string[] = [];
  const { http } = nodePorts();
  const request = (asked: HttpRequest) => (reached.push(asked.url.origin), http.request(asked));
  const opened: string[] = [];
  await using host = await hostIn(sandbox, {
    servers: { trap: { type: "http", url: server.url, oauth: oauth as Record<string, unknown> } },
    ports: {
      http: { request, close: http.close },
      browser: { open: async (url) => (opened.push(url.href), false) },
    },
  });
  const stop = new AbortController();
  let browsing = Promise.resolve("");
  const before = (await host.signIns.list()).length;
  const error: unknown = await host.signIns
    .login("trap", {
      signal: stop.signal,
      onSignIn: async (url) => {
        browsing = browse(url);
        const page = await browsing;
        // The page appears when the response was handled. A rejected response leaves the sign-in waiting.
        if (page.includes("does not belong to a sign-in")) stop.abort();
      },
    })
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  return {
    message: error instanceof Error ? error.message : "it signed in",
    code: isHostError(error) ? error.code : ((error as Error | undefined)?.name ?? "none"),
    printed: inspect(error, { depth: 20, showHidden: true }),
    page: await browsing,
    signIns: (await host.signIns.list()).length - before,
    strayed: [...new Set(reached)].filter((origin) => origin !== server.base),
    opened,
    seen: server.seen,
  };
}

test("a sign-in to an honest server succeeds, so a refusal is caused by the attack", async () => {
  const { message, signIns } = await signInTo({});
  expect([message, signIns]).toEqual(["it signed in", 1]);
});

const redirect = (location: string) => ({ status: 302, headers: { location } });
const named = (url: string): Attack => ({ challenge: () => `Bearer resource_metadata="${url}"` });
const issuer = (value: unknown): Attack => ({
  resource: (document) => ({ ...document, authorization_servers: [value] }),
});
const endpoint = (name: string, value: unknown): Attack => ({
  metadata: (document) => ({ ...document, [name]: value }),
});
const resource = (make: (base: string) => unknown): Attack => ({
  resource: (document, base) => ({ ...document, resource: make(base) }),
});
const answer = (change: (parameters: URLSearchParams, base: string) => void): Attack => ({
  callback(parameters, base) {
    change(parameters, base);
    return parameters;
  },
});
const token = (change: object): Attack => ({ token: (document) => ({ ...document, ...change }) });
const HUGE = {
  status: 200,
  headers: { "content-type": "application/json" },
  body: `{"a":"${"x".repeat(1_100_000)}"}`,
};

const ATTACKS: readonly (readonly [name: string, attack: Attack, because: RegExp])[] = [
  [
    "metadata at a cloud's internal address",
    named("http://169.254.169.254/latest/meta-data"),
    /must use https/,
  ],
  ["metadata at a cloud's internal address, with https", named("https://169.254.169.254/"), /is not allowed/],
  ["metadata in a home network", named("https://192.168.1.1/"), /is not allowed/],
  ["metadata in a number", named("https://0xa000001/"), /is not allowed/],
  ["metadata in a mapped address", named("https://[::ffff:10.0.0.1]/"), /is not allowed/],
  ["metadata in a file", named("file:///etc/passwd"), /must use https/],
  ["metadata with a user name", named("https://a:b@example.com/"), /contains a user name/],
  ["metadata that does not exist", { resource: () => ({ status: 404 }) }, /returned no metadata/],
  [
    "metadata behind a redirect to another origin",
    { resource: () => redirect("https://example.com/") },
    /another origin/,
  ],
  [
    "metadata behind a redirect to a private address",
    { resource: () => redirect("http://10.0.0.1/") },
    /must use https/,
  ],
  ["metadata that redirects endlessly", { resource: () => redirect("/resource") }, /too many times/],
  ["metadata without an end", { resource: () => HUGE }, /larger than 1 MB/],
  ["the name of another server", resource(() => "https://example.com/mcp"), /describes another server/],
  ["the name of a neighbour", resource((base) => `${base}/other`), /describes another server/],
  ["a name that only begins like it", resource((base) => `${base}/mc`), /describes another server/],
  [
    "the name of the same host by https",
    resource((base) => `${base.replace("http:", "https:")}/mcp`),
    /describes another server/,
  ],
  ["no name", resource(() => undefined), /describes another server/],
  ["an invalid resource name", resource(() => ["https://example.com"]), /describes another server/],
  ["an issuer at a cloud's internal address", issuer("http://169.254.169.254"), /must use https/],
  ["an issuer in a home network", issuer("https://10.1.2.3"), /is not allowed/],
  ["an issuer in a file", issuer("file:///etc"), /must use https/],
  ["an issuer that is a script", issuer("javascript:alert(1)"), /must use https/],
  ["an issuer with a query", issuer("https://example.com/?a=b"), /query or a fragment/],
  ["an issuer with a fragment", issuer("https://example.com/#a"), /query or a fragment/],
  ["metadata of another issuer", endpoint("issuer", "https://example.com"), /names another issuer/],
  [
    "an issuer with one slash more",
    { metadata: (d, base) => ({ ...d, issuer: `${base}/` }) },
    /names another issuer/,
  ],
  [
    "an issuer in capitals",
    { metadata: (d, base) => ({ ...d, issuer: base.toUpperCase() }) },
    /names another issuer/,
  ],
  ["no issuer", endpoint("issuer", undefined), /names another issuer/],
  ["no PKCE", endpoint("code_challenge_methods_supported", undefined), /PKCE/],
  ["PKCE in name only", endpoint("code_challenge_methods_supported", ["plain"]), /PKCE/],
  ["PKCE in a text", endpoint("code_challenge_methods_supported", "S256"), /PKCE/],
  [
    "no PKCE at the place of OpenID",
    { openid: true, ...endpoint("code_challenge_methods_supported", undefined) },
    /PKCE/,
  ],
  ["a page that is a script", endpoint("authorization_endpoint", "javascript:alert(1)"), /must use https/],
  ["a page that is a file", endpoint("authorization_endpoint", "file:///etc/passwd"), /must use https/],
  ["a page that is data", endpoint("authorization_endpoint", "data:text/html,x"), /must use https/],
  [
    "a page with another program's scheme",
    endpoint("authorization_endpoint", "ms-msdt:/id"),
    /must use https/,
  ],
  ["a page that is an option", endpoint("authorization_endpoint", "--help"), /is not a URL/],
  ["a page without https", endpoint("authorization_endpoint", "http://example.com/"), /must use https/],
  [
    "a page with a user name",
    endpoint("authorization_endpoint", "https://bank@example.com/"),
    /contains a user name/,
  ],
  ["no token endpoint", endpoint("token_endpoint", undefined), /has no token_endpoint/],
  ["a token endpoint without https", endpoint("token_endpoint", "http://example.com/"), /must use https/],
  [
    "a token endpoint at a private address",
    endpoint("token_endpoint", "https://172.20.0.1/"),
    /is not allowed/,
  ],
  [
    "a registration endpoint at a private address",
    endpoint("registration_endpoint", "https://10.0.0.1/"),
    /is not allowed/,
  ],
  [
    "a revocation endpoint at a private address",
    endpoint("revocation_endpoint", "https://[fd00::1]/"),
    /is not allowed/,
  ],
  [
    "a device endpoint at a private address",
    endpoint("device_authorization_endpoint", "https://100.64.0.1/"),
    /is not allowed/,
  ],
  ["an invalid registration", { registration: () => ({ secret: "x" }) }, /client_id/],
  ["a registration that redirects", { registration: () => redirect("/register") }, /returned a redirect/],
  ["an answer of another issuer", answer((p) => p.set("iss", "https://example.com")), /"iss"/],
  ["an answer without the issuer it promised", answer((p) => p.delete("iss")), /"iss"/],
  ["an answer of almost that issuer", answer((p, base) => p.set("iss", `${base}/`)), /"iss"/],
  ["an answer with two codes", answer((p) => p.append("code", "other")), /code/],
  ["an answer without a code", answer((p) => p.delete("code")), /code/],
  ["an answer with a token in it", answer((p) => p.set("token", "x")), /implicit/],
  [
    "a token endpoint that redirects",
    { token: () => redirect("https://example.com/") },
    /returned a redirect/,
  ],
  [
    "a token that is a page",
    { token: () => ({ status: 200, headers: { "content-type": "text/html" }, body: "<p>" }) },
    /content-type|JSON/,
  ],
  ["a token of another type", token({ token_type: "mac" }), /token_type/],
  ["no token", token({ access_token: undefined }), /access_token/],
  ["a token with a second header", token({ access_token: "a\r\nx-admin: 1" }), /header/],
  ["tokens without an end", { token: () => HUGE }, /larger than 1 MB/],
];

/** Runs the attacks with the official client, in a program that compares `state` as documented. The score shows both results. */
const refusedBySdk: string[] = [];

describe("the official client", () => {
  test("also signs in to an honest server", async () => {
    expect(await signInWithSdk({})).toEqual({ signedIn: true, strayed: [], opened: 1 });
  });

  test(
    "refuses some of them",
    async () => {
      for (const [name, attack] of ATTACKS) {
        const { signedIn, strayed } = await signInWithSdk(attack);
        if (!signedIn && strayed.length === 0) refusedBySdk.push(name);
      }
      expect(refusedBySdk.length).toBeGreaterThan(0);
    },
    LONGEST_MS,
  );
});

describe("a hostile server is refused:", () => {
  reportTests("attacks on a sign-in: refused for the right reason, no other host contacted", () => ({
    control: `${refusedBySdk.length} of ${ATTACKS.length}`,
  }));

  test.each(ATTACKS)("%s", async (_, attack, because) => {
    const outcome = await signInTo(attack);
    expect(outcome.message).toMatch(because);
    expect(outcome.message).toMatch(/^OAuth authentication failed: /);
    expect(outcome.code).toBe("AUTH_FAILED");
    expect([outcome.signIns, outcome.strayed]).toEqual([0, []]);
    expect(outcome.opened.every((url) => url.startsWith("http://127.0.0.1:"))).toBe(true);
  });
});

test("there are at least forty attacks", () => expect(ATTACKS.length).toBeGreaterThanOrEqual(40));

describe("a forged callback", () => {
  reportTests("forged callbacks: rejected, nothing in them used or shown");

  test.each([
    ["with another state", answer((p) => p.set("state", "forged"))],
    ["without a state", answer((p) => p.delete("state"))],
    ["with two states", answer((p) => p.append("state", "forged"))],
    ["with an error and no state", answer((p) => (p.delete("state"), p.set("error", "access_denied")))],
  ])("%s is rejected and does not end the sign-in", async (_, attack) => {
    const { page, code, signIns, seen } = await signInTo(attack);
    expect(page).toContain("This response does not belong to a sign-in in progress.");
    expect([code, signIns]).toEqual(["ToolAbortError", 0]);
    expect(seen).not.toContain("POST /token");
  });

  test("of another issuer shows none of its text", async () => {
    const lie = answer((p) => {
      p.set("iss", "https://example.com");
      p.set("error", "access_denied");
      p.set("error_description", "call this number");
    });
    const { message, page } = await signInTo(lie);
    expect(`${message} ${page}`).not.toContain("number");
  });

  test("with an error is escaped in the terminal and in the browser", async () => {
    const loud = answer((p) => {
      p.set("error", "access_denied");
      p.set("error_description", "no\u001b[2J<script>alert(1)</script>\u202e");
    });
    const { message, page } = await signInTo(loud);
    expect(message).toMatch(/^OAuth authentication failed: access_denied \(no.*\)$/);
    expect(message).not.toContain("\u001b");
    expect(message).not.toContain("\u202e");
    expect(page).toContain("You are not signed in");
    expect(page).not.toContain("<script>");
  });
});

test.each<[string, NonNullable<Attack["token"]>]>([
  ["of an unknown type", (document) => ({ ...document, token_type: "mac" })],
  ["with an invalid expiry", (document) => ({ ...document, expires_in: "soon" })],
  ["with an error", (document) => ({ status: 400, body: JSON.stringify({ error: 7, ...document }) })],
])("tokens %s are refused and do not appear in the error", async (_, token) => {
  const { code, printed } = await signInTo({ token });
  expect(code).toBe("AUTH_FAILED");
  expect(printed).not.toContain("stolen-goods");
});

test("a refused code does not appear in the error", async () => {
  const { printed } = await signInTo(answer((p) => p.set("iss", "https://example.com")));
  expect(printed).toContain("OAuth authentication failed");
  expect(printed).not.toContain("c0de");
});

test("tokens with an impossible expiry are stored and shown like others", async () => {
  const { message, signIns } = await signInTo({
    token: (document) => ({ ...document, expires_in: 1e300 }),
  });
  expect([message, signIns]).toEqual(["it signed in", 1]);
});

test("the user's entry can allow a server without PKCE, and PKCE is still sent", async () => {
  const { message, opened } = await signInTo(endpoint("code_challenge_methods_supported", undefined), {
    allowNoPkce: true,
  });
  expect(message).toBe("it signed in");
  expect(new URL(opened[0] ?? "").searchParams.get("code_challenge_method")).toBe("S256");
});

test("a project's entry cannot allow a server without PKCE, approved or not", async () => {
  await using server = await startHostileServer(endpoint("code_challenge_methods_supported", undefined));
  await using own = await createSandbox();
  const trap = { type: "http", url: server.url, oauth: { allowNoPkce: true } };
  await own.writeProject(".plugboard/mcp.json", { mcpServers: { trap } });
  await using host = await hostIn(own);
  await host.approvals.approve("trap", host.approvals.request("trap").hash);
  await expect(host.signIns.login("trap", { browser: false })).rejects.toThrow("PKCE");
  expect(server.seen).not.toContain("POST /register");
});
