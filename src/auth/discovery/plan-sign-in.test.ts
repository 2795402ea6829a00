import { afterAll, describe, expect, test } from "vitest";
import { report } from "../../../test/durability/counts.ts";
import { createFakePorts } from "../../../test/support/fake-ports.ts";
import type { Http, HttpRequest, HttpResponse } from "../../platform/index.ts";
import { Guard } from "../guard/guarded-fetch.ts";
import { planSignIn, type SignInPlan } from "./plan-sign-in.ts";

const MCP = "https://mcp.example.com";
const AS = "https://as.example.com";

/** Eighteen ways to write a private address. */
const ENCODINGS = [
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0x7f000001",
  "017700000001",
  "0.0.0.0",
  "localhost",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "169.254.169.254",
  "[fe80::1]",
  "[fd00::1]",
  "10.0.0.1",
  "172.31.255.255",
  "192.168.0.1",
];

/** A network in memory that records the contacted hosts. */
function networkOf(pages: Readonly<Record<string, unknown>>): { http: Http; hosts: Set<string> } {
  const hosts = new Set<string>();
  const request = async ({ url }: HttpRequest): Promise<HttpResponse> => {
    hosts.add(url.host);
    const page = pages[url.href];
    const location = typeof page === "string" ? page : undefined;
    const status = location !== undefined ? 302 : page === undefined ? 404 : 200;
    return {
      status,
      headers: new Map([
        ["content-type", "application/json"],
        ...(location ? [["location", location] as const] : []),
      ]),
      read(onData, onEnd) {
        void onData(new TextEncoder().encode(JSON.stringify(page ?? {})));
        onEnd();
      },
      cancel: () => {},
    };
  };
  return { http: { request, close: () => {} }, hosts };
}

const METADATA = {
  issuer: AS,
  authorization_endpoint: `${AS}/authorize`,
  token_endpoint: `${AS}/token`,
  registration_endpoint: `${AS}/register`,
  code_challenge_methods_supported: ["S256"],
};

interface World {
  readonly named?: string;
  readonly issuer?: string;
  readonly metadata?: object;
  readonly settings?: object;
  /** The scope of the challenge. */
  readonly scope?: string;
  /** The issuer of the existing sign-in. */
  readonly known?: string;
  readonly program?: boolean;
  readonly pages?: Readonly<Record<string, unknown>>;
}

async function plan(world: World): Promise<{ planned: SignInPlan | undefined; hosts: Set<string> }> {
  const { named, issuer = AS, metadata = {}, settings = {}, pages = {} } = world;
  const { http, hosts } = networkOf({
    [`${MCP}/.well-known/oauth-protected-resource/mcp`]: {
      resource: `${MCP}/mcp`,
      authorization_servers: [issuer],
    },
    [`${AS}/.well-known/oauth-authorization-server`]: { ...METADATA, ...metadata },
    ...pages,
  });
  const url = new URL(`${MCP}/mcp`);
  const guard = new Guard({ http, clock: createFakePorts().clock, server: url });
  const { scope, known, program } = world;
  const isChallenged = named !== undefined || scope !== undefined;
  const challenge = isChallenged
    ? { ...(named !== undefined && { resourceMetadata: named }), ...(scope && { scope }), dpop: false }
    : undefined;
  try {
    const question = {
      url: program ? undefined : url,
      settings: { grant: "authorization_code" as const, ...settings },
      challenge,
      before: known === undefined ? undefined : { server: { issuer: known }, client: { clientId: "known" } },
    };
    return { planned: await planSignIn(guard, question), hosts };
  } catch (error) {
    throw Object.assign(error as Error, { hosts });
  }
}

/** Every URL that a sign-in fetches or shows to the user. */
const PLACES: Readonly<Record<string, (inside: string) => World>> = {
  "the metadata it names": (named) => ({ named }),
  "a redirect from there": (inside) => ({
    pages: { [`${MCP}/.well-known/oauth-protected-resource/mcp`]: inside },
  }),
  "its issuer": (issuer) => ({ issuer }),
  "a redirect from its issuer": (inside) => ({
    pages: { [`${AS}/.well-known/oauth-authorization-server`]: inside },
  }),
  "the sign-in page": (url) => ({ metadata: { authorization_endpoint: url } }),
  "the token endpoint": (url) => ({ metadata: { token_endpoint: url } }),
  "the registration": (url) => ({ metadata: { registration_endpoint: url } }),
  "the revocation": (url) => ({ metadata: { revocation_endpoint: url } }),
  "the sign-in of devices": (url) => ({ metadata: { device_authorization_endpoint: url } }),
  "endpoints by hand": (url) => ({ settings: { authorizationUrl: `${AS}/authorize`, tokenUrl: url } }),
  "metadata by hand": (url) => ({ settings: { authServerMetadataUrl: url } }),
};

const LINE = "internal addresses in every notation and every URL of a sign-in: none contacted";

describe("a public server that points to a private address is refused and nothing private is contacted:", () => {
  let [refused, tried] = [0, 0];
  afterAll(() => report(LINE, refused, tried));

  test.each(Object.entries(PLACES))("%s", async (_, worldOf) => {
    for (const encoding of ENCODINGS) {
      for (const inside of [`https://${encoding}`, `http://${encoding}:8080/x`]) {
        tried += 1;
        const refusal: unknown = await plan(worldOf(inside)).catch((error: unknown) => error);
        expect([inside, refusal]).toStrictEqual([inside, expect.objectContaining({ name: "Refusal" })]);
        const { hosts } = refusal as { hosts: Set<string> };
        expect([...hosts].filter((host) => !host.endsWith(".example.com"))).toStrictEqual([]);
        refused += 1;
      }
    }
  });

  test("the list has eighteen encodings", () => expect(new Set(ENCODINGS).size).toBe(18));
});

describe("the authorization server", () => {
  test("is found from the server's own metadata", async () => {
    const { planned } = await plan({});
    expect(planned).toMatchObject({ resource: `${MCP}/mcp`, manual: false, as: { issuer: AS } });
  });

  test.each([
    [`${AS}/tenant`, `${AS}/.well-known/oauth-authorization-server/tenant`],
    [`${AS}/tenant`, `${AS}/.well-known/openid-configuration/tenant`],
    [`${AS}/tenant`, `${AS}/tenant/.well-known/openid-configuration`],
    [AS, `${AS}/.well-known/openid-configuration`],
  ])("%s is looked up at %s", async (issuer, place) => {
    const pages = {
      [`${AS}/.well-known/oauth-authorization-server`]: undefined,
      [place]: { ...METADATA, issuer },
    };
    expect((await plan({ issuer, pages })).planned?.as.issuer).toBe(issuer);
  });

  test("is the server itself if it has no resource metadata", async () => {
    const own = { ...METADATA, issuer: MCP };
    const pages = {
      [`${MCP}/.well-known/oauth-protected-resource/mcp`]: undefined,
      [`${MCP}/.well-known/oauth-authorization-server`]: own,
    };
    expect((await plan({ pages })).planned).toMatchObject({ resource: `${MCP}/mcp`, as: { issuer: MCP } });
  });

  test("is not guessed", async () => {
    const pages = { [`${MCP}/.well-known/oauth-protected-resource/mcp`]: undefined };
    expect((await plan({ pages })).planned).toBeUndefined();
  });

  test("in the entry needs no discovery", async () => {
    const settings = { authorizationUrl: `${AS}/authorize`, tokenUrl: `${AS}/token` };
    const { planned, hosts } = await plan({ settings });
    expect([planned?.manual, planned?.resource, hosts.size]).toStrictEqual([true, `${MCP}/mcp`, 0]);
  });

  test("may have a trailing slash if it is the server itself", async () => {
    const pages = {
      [`${MCP}/.well-known/oauth-protected-resource/mcp`]: undefined,
      [`${MCP}/.well-known/oauth-authorization-server`]: { ...METADATA, issuer: `${MCP}/` },
    };
    expect((await plan({ pages })).planned?.as.issuer).toBe(`${MCP}/`);
  });

  test("is not the server itself if it names another issuer", async () => {
    const pages = {
      [`${MCP}/.well-known/oauth-protected-resource/mcp`]: undefined,
      [`${MCP}/.well-known/oauth-authorization-server`]: METADATA,
    };
    expect((await plan({ pages })).planned).toBeUndefined();
  });

  const second = "https://second.example.com";
  const both = {
    [`${MCP}/.well-known/oauth-protected-resource/mcp`]: {
      resource: `${MCP}/mcp`,
      authorization_servers: [AS, second],
    },
    [`${second}/.well-known/oauth-authorization-server`]: { ...METADATA, issuer: second },
  };
  test.each([
    ["the first one that the server names", undefined, AS],
    ["the one there is a sign-in of", second, second],
    ["the first one if the one there is a sign-in of is not named", "https://gone.example", AS],
  ])("is %s", async (_, known, expected) => {
    const world = { pages: both, ...(known !== undefined && { known }) };
    expect((await plan(world)).planned?.as.issuer).toBe(expected);
  });

  test("is read from the metadata URL in the entry", async () => {
    const place = `${second}/metadata`;
    const pages = { [place]: { ...METADATA, issuer: second } };
    const { planned } = await plan({ pages, settings: { authServerMetadataUrl: place } });
    expect(planned).toMatchObject({ as: { issuer: second }, manual: false, resource: `${MCP}/mcp` });
  });

  test("in the entry has these endpoints", async () => {
    const settings = { authorizationUrl: `${AS}/authorize`, tokenUrl: `${AS}/token` };
    expect((await plan({ settings })).planned?.as).toStrictEqual({
      issuer: `${AS}/token`,
      token_endpoint: `${AS}/token`,
      authorization_endpoint: `${AS}/authorize`,
      code_challenge_methods_supported: ["S256"],
    });
  });

  test("in the entry needs no sign-in page for a machine client", async () => {
    const settings = { grant: "client_credentials", tokenUrl: `${AS}/token` };
    expect((await plan({ settings })).planned?.as).toStrictEqual({
      issuer: `${AS}/token`,
      token_endpoint: `${AS}/token`,
      code_challenge_methods_supported: ["S256"],
    });
  });

  test.each([
    ["tokenUrl", { authorizationUrl: `${AS}/authorize` }],
    ["authorizationUrl", { tokenUrl: `${AS}/other` }],
  ])("is discovered if the entry has no %s", async (_, settings) => {
    expect((await plan({ settings })).planned).toMatchObject({ manual: false, as: METADATA });
  });

  test.each([
    ["tokenUrl", { authorizationUrl: `${AS}/authorize`, tokenUrl: "https://10.0.0.1/" }],
    ["authorizationUrl", { authorizationUrl: "https://10.0.0.1/", tokenUrl: `${AS}/token` }],
  ])("in the entry is refused if %s has a private address", async (name, settings) => {
    await expect(plan({ settings })).rejects.toThrow(`${name} is at an address that is not allowed`);
  });

  test("of a program is known only from the entry", async () => {
    const settings = { grant: "client_credentials", tokenUrl: `${AS}/token` };
    const { planned } = await plan({ program: true, settings });
    expect(planned).toMatchObject({ manual: true, as: { token_endpoint: `${AS}/token` } });
    expect(planned?.resource).toBeUndefined();
    const without = await plan({ program: true });
    expect([without.planned, without.hosts.size]).toStrictEqual([undefined, 0]);
  });
});

describe("the scope of a sign-in", () => {
  const scoped = {
    [`${MCP}/.well-known/oauth-protected-resource/mcp`]: {
      resource: `${MCP}/mcp`,
      authorization_servers: [AS],
      scopes_supported: ["metadata"],
    },
  };
  const byHand = { authorizationUrl: `${AS}/authorize`, tokenUrl: `${AS}/token` };
  test.each<[string, World, string | undefined]>([
    ["is that of the config", { pages: scoped, scope: "challenge", settings: { scope: "config" } }, "config"],
    ["is that of the challenge", { pages: scoped, scope: "challenge" }, "challenge"],
    ["is that of the metadata", { pages: scoped }, "metadata"],
    ["is none if none is named", {}, undefined],
    [
      "is that of the config by hand",
      { scope: "challenge", settings: { ...byHand, scope: "config" } },
      "config",
    ],
    [
      "is that of the challenge if the endpoints are in the entry",
      { scope: "challenge", settings: byHand },
      "challenge",
    ],
    ["is missing if the endpoints are in the entry and none is named", { settings: byHand }, undefined],
  ])("%s", async (_, world, expected) => {
    const { planned } = await plan(world);
    expect(planned).toBeDefined();
    expect(planned?.scope).toBe(expected);
  });
});
