import type { AuthorizationServer } from "oauth4webapi";
import type { AuthDeps, AuthSubject } from "../../src/auth/auth-subject.ts";
import { type Credential, Credentials } from "../../src/auth/credentials/credential.ts";
import { type JsonValue, Redactor } from "../../src/model/index.ts";
import type { Http, HttpRequest, HttpResponse } from "../../src/platform/index.ts";
import type { Vault } from "../../src/state/index.ts";
import { createFakePorts, type FakePorts } from "./fake-ports.ts";

export const MCP = "https://mcp.example.com";
/** The time at which the clock of `fakeAuth` starts. */
export const START = 1_000_000;
export const AS = "https://as.example.com";

/** A request as the fake network received it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body: the fields of a form, or a JSON document. */
  readonly body: Record<string, unknown>;
  readonly request: HttpRequest;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

export const METADATA: AuthorizationServer = {
  issuer: AS,
  authorization_endpoint: `${AS}/authorize`,
  token_endpoint: `${AS}/token`,
  code_challenge_methods_supported: ["S256"],
};

export const TOKENS = { access_token: "access-token-2", token_type: "Bearer" };

type Page = Reply | Error | ((received: Received) => Reply | Error | undefined) | undefined;

/** Answers by URL: a server, its authorization server's metadata, and a token for every request. */
export function oauthPages(
  more: Readonly<Record<string, Page>> = {},
  metadata: object = {},
): (received: Received) => Reply | Error | undefined {
  const pages: Record<string, Page> = {
    [`${MCP}/.well-known/oauth-protected-resource/mcp`]: {
      json: { resource: `${MCP}/mcp`, authorization_servers: [AS] },
    },
    [`${AS}/.well-known/oauth-authorization-server`]: { json: { ...METADATA, ...metadata } },
    [`${AS}/token`]: { json: TOKENS },
    ...more,
  };
  return (received) => {
    const page = pages[received.url];
    return typeof page === "function" ? page(received) : page;
  };
}

/** A refusal of an authorization server. */
export function refusal(error: string, status = 400): Reply {
  return { status, json: { error } };
}

/** A network in memory: answers each request, fails it if the answer is an error, and keeps what it received. */
export function fakeNetwork(answer: (received: Received) => Reply | Error | undefined): {
  http: Http;
  received: Received[];
} {
  const received: Received[] = [];
  const request = async (wanted: HttpRequest): Promise<HttpResponse> => {
    const { url, method, headers, body = "" } = wanted;
    const isJson = body.startsWith("{");
    const parsed = isJson
      ? (JSON.parse(body) as Record<string, unknown>)
      : Object.fromEntries(new URLSearchParams(body));
    const one = { method, url: url.href, headers: { ...headers }, body: parsed, request: wanted };
    received.push(one);
    const reply = answer(one) ?? { status: 404, json: {} };
    if (reply instanceof Error) throw reply;
    const { status = 200, json = {} } = reply;
    return {
      status,
      headers: new Map(Object.entries({ "content-type": "application/json", ...reply.headers })),
      read(onData, onEnd) {
        void onData(new TextEncoder().encode(typeof json === "string" ? json : JSON.stringify(json)));
        onEnd();
      },
      cancel: () => {},
    };
  };
  return { http: { request, close: () => {} }, received };
}

/** A vault in memory. */
export function memoryVault(): Vault {
  const entries = new Map<string, JsonValue>();
  const keyOf = (namespace: string, key: string): string => `${namespace}\0${key}`;
  return {
    read: async (namespace, key) => entries.get(keyOf(namespace, key)),
    list: async (namespace) =>
      [...entries].flatMap(([path, value]) =>
        path.startsWith(`${namespace}\0`) ? [{ key: path.slice(namespace.length + 1), value }] : [],
      ),
    async update(namespace, key, update, turn) {
      await turn?.assertHeld();
      const value = update(entries.get(keyOf(namespace, key)));
      if (value !== undefined) entries.set(keyOf(namespace, key), value);
    },
    remove: async (namespace, key) => entries.delete(keyOf(namespace, key)),
    withEntryLock: (_, __, action) => action({ assertHeld: async () => {} }),
    check: async () => [],
  };
}

export interface FakeAuth {
  readonly deps: AuthDeps & { readonly ports: FakePorts };
  readonly received: Received[];
}

/** Everything that signing in shares, on a fake network and with a vault in memory. */
export function fakeAuth(
  answer: (received: Received) => Reply | Error | undefined = () => undefined,
  more: Partial<Pick<AuthDeps, "vault" | "onInsideAddress">> = {},
): FakeAuth {
  const { http, received } = fakeNetwork(answer);
  const redactor = new Redactor();
  const { vault = memoryVault() } = more;
  const fakes = createFakePorts();
  const clock = { ...fakes.clock, now: () => START + fakes.clock.now() };
  const deps = {
    ...more,
    ports: { ...fakes, http, clock },
    vault,
    redactor,
    credentials: new Credentials(vault, redactor),
    renewing: new Map(),
    requesting: new Map(),
    unwritten: new Map(),
    shown: new Set<string>(),
  };
  return { deps, received };
}

/** A server of the user's own file, called "notes". */
export function subjectOf(more: Partial<AuthSubject> = {}): AuthSubject & { readonly url: URL } {
  return {
    name: "notes",
    url: new URL(`${MCP}/mcp`),
    settings: { grant: "authorization_code" },
    account: undefined,
    credentialId: undefined,
    entry: { file: "/home/u/mcp.json" },
    ...more,
  } as AuthSubject & { readonly url: URL };
}

/** A sign-in for that server. */
export function credentialOf(more: Partial<Credential> = {}): Credential {
  return {
    id: "sign-in-1",
    account: "default",
    server: { issuer: AS, token_endpoint: `${AS}/token` },
    client: { clientId: "client-1" },
    url: `${MCP}/mcp`,
    accessToken: "access-token-1",
    tokenType: "bearer",
    refreshToken: "refresh-token-1",
    obtainedAt: 0,
    generation: 1,
    ...more,
  };
}
