import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { browse } from "../support/oauth-server.ts";
import { type Attack, startHostileServer } from "./hostile-server.ts";

export interface SdkOutcome {
  readonly signedIn: boolean;
  /** Origins other than the server's own that were contacted or shown to the user. */
  readonly strayed: readonly string[];
  readonly opened: number;
}

interface Kept {
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
  verifier?: string;
  discovered?: OAuthDiscoveryState;
}

const REDIRECT = "http://127.0.0.1:9/callback";
const STATE = "of this sign-in";

/** Runs the same sign-in with the official client, in a program that follows its documentation. */
export async function signInWithSdk(attack: Attack): Promise<SdkOutcome> {
  await using server = await startHostileServer(attack);
  const reached: string[] = [];
  const opened: URL[] = [];
  const kept: Kept = {};
  const authProvider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: "Control", redirect_uris: [REDIRECT] },
    state: () => STATE,
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? "",
    discoveryState: () => kept.discovered,
    saveDiscoveryState: (state) => void (kept.discovered = state),
    redirectToAuthorization: (url) => void opened.push(url),
  };
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    authProvider,
    fetch: (url, init) => fetchNear(server.base, reached, new URL(url), init),
  });
  const client = new Client({ name: "control", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  try {
    await client.connect(transport).catch(() => {}); // it requires a sign-in or refused the server
    const [page] = opened;
    if (page !== undefined && originOf(page) === server.base) {
      const { searchParams } = new URL(await browse(page.href, REDIRECT));
      if (searchParams.get("state") === STATE) await transport.finishAuth(searchParams).catch(() => {});
    }
  } finally {
    await client.close();
  }
  const places = [...reached, ...opened.map(originOf)];
  return {
    signedIn: kept.tokens !== undefined,
    strayed: [...new Set(places)].filter((origin) => origin !== server.base),
    opened: opened.length,
  };
}

/** Like `fetch`, but records requests to other origins instead of sending them. */
async function fetchNear(
  base: string,
  reached: string[],
  url: URL,
  init: RequestInit = {},
  hops = 20,
): Promise<Response> {
  if (/^https?:$/.test(url.protocol)) reached.push(originOf(url));
  if (originOf(url) !== base || hops === 0) throw new TypeError("fetch failed");
  const response = await fetch(url, { ...init, redirect: "manual" });
  const location = response.headers.get("location");
  if (location === null || init.redirect === "manual") return response;
  return fetchNear(base, reached, new URL(location, url), init, hops - 1);
}

/** `new URL` returns no origin for other schemes than http and https. */
function originOf({ origin, href }: URL): string {
  return origin === "null" ? href : origin;
}
