import { type RunningServer, startServer } from "./test-servers.ts";

/** What the server has seen so far. */
export interface OauthStats {
  readonly issuer: string;
  readonly registrations: number;
  readonly authorizations: number;
  readonly calls: number;
  /** Requests to the MCP server with a token. */
  readonly bearers: number;
  /** The number of different tokens. */
  readonly tokens: number;
  /** Token requests that were held back. */
  readonly held: number;
  /** Sign-ins that could still be renewed. */
  readonly alive: number;
  /** Successes at the token endpoint, by grant. */
  readonly grants: Readonly<Record<string, number>>;
  readonly refusals: Readonly<Record<string, number>>;
}

export interface OauthServer extends RunningServer {
  /** `stats`, `expire`, `revoke`, `forget-clients`, `require?scope=…`, `migrate`. */
  control(word?: string): Promise<OauthStats>;
}

/** Starts `test/servers/oauth-server.mjs`: a real authorization server and an MCP server behind it. */
export async function startOauthServer(flags: readonly string[] = []): Promise<OauthServer> {
  const server = await startServer("oauth-server.mjs", flags);
  return {
    ...server,
    async control(word = "stats") {
      return (await (await fetch(new URL(`/control/${word}`, server.url))).json()) as OauthStats;
    },
  };
}

/** A headless browser that follows redirects with its cookies until one leads to `stopAt`, or to the end. */
export async function browse(start: string, stopAt?: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = start;
  for (let hop = 0; hop < 20; hop += 1) {
    if (stopAt !== undefined && url.startsWith(stopAt)) return url;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) return response.text();
    url = new URL(location, url).href;
  }
  throw new Error(`redirected in circles at ${url}`);
}
