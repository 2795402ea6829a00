import type { AuthDeps, AuthSubject } from "../../src/auth/auth-subject.ts";
import { type Credential, Credentials } from "../../src/auth/credentials/credential.ts";
import { type JsonValue, Redactor } from "../../src/model/index.ts";
import type { Clock, Http, HttpRequest, Ports } from "../../src/platform/index.ts";
import type { EntryLock, Vault } from "../../src/state/index.ts";
import { createFakePorts } from "./fake-ports.ts";

/** A vault in memory. `turns` records which entries were locked. */
export function createMemoryVault(): Vault & { readonly turns: string[] } {
  const entries = new Map<string, { namespace: string; key: string; value: JsonValue }>();
  const turns: string[] = [];
  const idOf = (namespace: string, key: string): string => {
    if (typeof key !== "string") throw new TypeError("the key of an entry is a string");
    return JSON.stringify([namespace, key]);
  };
  const assertHeld = async (turn: EntryLock | undefined): Promise<void> => turn?.assertHeld();
  return {
    turns,
    read: async (namespace, key) => entries.get(idOf(namespace, key))?.value,
    list: async (namespace) => [...entries.values()].filter((entry) => entry.namespace === namespace),
    async update(namespace, key, update, turn) {
      await assertHeld(turn);
      const value = update(entries.get(idOf(namespace, key))?.value);
      if (value !== undefined) entries.set(idOf(namespace, key), { namespace, key, value });
    },
    async remove(namespace, key, turn) {
      await assertHeld(turn);
      return entries.delete(idOf(namespace, key));
    },
    withEntryLock(namespace, key, action) {
      turns.push(`${namespace} ${key}`);
      return action({ assertHeld: async () => {} });
    },
    check: async () => [],
  };
}

export interface WebRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface WebAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json: unknown;
}

/** The response at a URL, or a function that returns it. Other URLs return 404. */
export type Web = Record<string, WebAnswer | ((request: WebRequest) => WebAnswer | Promise<WebAnswer>)>;

/** The network as a list of pages. */
export function createFakeWeb(web: Web): { readonly http: Http; readonly requests: WebRequest[] } {
  const requests: WebRequest[] = [];
  const request = async ({ url, method, headers, body = "", signal }: HttpRequest) => {
    if (signal?.aborted) throw new Error("the request was aborted");
    const asked = {
      method,
      url: url.href,
      headers,
      parameters: Object.fromEntries(new URLSearchParams(body)),
    };
    requests.push(asked);
    const page = web[url.href] ?? { status: 404, json: {} };
    const answer = typeof page === "function" ? await page(asked) : page;
    return {
      status: answer.status ?? 200,
      headers: new Map(Object.entries({ "content-type": "application/json", ...answer.headers })),
      read(onData: (data: Uint8Array) => unknown, onEnd: () => void) {
        void onData(new TextEncoder().encode(JSON.stringify(answer.json)));
        onEnd();
      },
      cancel: () => {},
    };
  };
  return { http: { request, close: () => {} }, requests };
}

/** A clock that only the test moves. */
export function createStoppedClock(start = 0): Clock & { move(ms: number): void; waiting(): number[] } {
  let now = start;
  const timers = new Map<object, { at: number; callback: () => void }>();
  return {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback };
      timers.set(timer, timer);
      return () => void timers.delete(timer);
    },
    move(ms) {
      now += ms;
      for (const [timer, { at, callback }] of timers) {
        if (at > now) continue;
        timers.delete(timer);
        callback();
      }
    },
    waiting: () => [...timers.values()].map(({ at }) => at - now),
  };
}

export const SERVER = "https://mcp.example.com/mcp";
export const ISSUER = "https://as.example.com";

export interface AuthWorld {
  readonly deps: AuthDeps;
  readonly vault: ReturnType<typeof createMemoryVault>;
  readonly redactor: Redactor;
  readonly clock: ReturnType<typeof createStoppedClock>;
  /** The requests to the network, in order. */
  readonly requests: WebRequest[];
  readonly credentials: Credentials;
}

/** What the parts of `auth` share, with a network of pages and a vault in memory. */
export function createAuthWorld(web: Web = {}, ports: Partial<Ports> = {}): AuthWorld {
  const vault = createMemoryVault();
  const redactor = new Redactor();
  const clock = createStoppedClock();
  const { http, requests } = createFakeWeb(web);
  const credentials = new Credentials(vault, redactor);
  const deps: AuthDeps = {
    ports: { ...createFakePorts(), clock, http, ...ports },
    vault,
    redactor,
    credentials,
    renewing: new Map(),
    requesting: new Map(),
    unwritten: new Map(),
    shown: new Set(),
  };
  return { deps, vault, redactor, clock, requests, credentials };
}

export function subjectOf(more: Partial<AuthSubject> = {}): AuthSubject {
  return {
    name: "notes",
    url: new URL(SERVER),
    settings: { grant: "authorization_code" },
    account: undefined,
    credentialId: undefined,
    entry: { file: "/home/user/mcp.json" },
    ...more,
  };
}

export function credentialOf(more: Partial<Credential> = {}): Credential {
  return {
    id: "sign-in-1",
    account: "default",
    server: { issuer: ISSUER, token_endpoint: `${ISSUER}/token` },
    client: { clientId: "client-1" },
    url: SERVER,
    accessToken: "access-token-1",
    tokenType: "bearer",
    obtainedAt: 0,
    generation: 0,
    ...more,
  };
}

/** The pages of a typical server and its authorization server. */
export function usualPages({ server = {}, resource = {} }: { server?: object; resource?: object } = {}): Web {
  return {
    "https://mcp.example.com/.well-known/oauth-protected-resource/mcp": {
      json: { resource: SERVER, authorization_servers: [ISSUER], ...resource },
    },
    [`${ISSUER}/.well-known/oauth-authorization-server`]: {
      json: {
        issuer: ISSUER,
        authorization_endpoint: `${ISSUER}/authorize`,
        token_endpoint: `${ISSUER}/token`,
        registration_endpoint: `${ISSUER}/register`,
        code_challenge_methods_supported: ["S256"],
        ...server,
      },
    },
  };
}
