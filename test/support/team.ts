import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createToken, findPerson, type TokenScopes } from "../../src/access/index.ts";
import { isJsonObject, type JsonObject } from "../../src/model/index.ts";
import { nodeEnvironment, nodePorts } from "../../src/platform/node/index.ts";
import { type AuditEntry, findOwnPaths } from "../../src/state/index.ts";
import type { TeamStore } from "../../src/store/index.ts";
import { type OpenedTeamStore, openTeamStore } from "../../src/team/open-team-store.ts";
import { loadTeamConfig } from "../../src/team/team-config.ts";
import { startTeamGateway, type TeamGateway, type TeamGatewayOptions } from "../../src/team/team-gateway.ts";
import { findFreePort } from "./find-free-port.ts";
import type { Era } from "./gateway-clients.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

const META = "io.modelcontextprotocol/";

/** A response of the gateway to one JSON-RPC request. */
export interface TeamAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
}

/** A page, as a browser gets it. */
export interface TeamPage {
  readonly status: number;
  readonly text: string;
  /** Where a redirect or the `Refresh` header leads. */
  readonly next: string | undefined;
  readonly headers: Headers;
}

/** A browser without scripts. It follows no redirects by itself. */
export interface TeamBrowser {
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<TeamPage>;
  post(
    url: string,
    form?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<TeamPage>;
  /** Signs in with a token. */
  signIn(token: string): Promise<TeamPage>;
}

/** A gateway of a team, in its own sandbox. */
export interface Team extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly gateway: TeamGateway;
  readonly url: string;
  readonly configFile: string;
  readonly store: TeamStore;
  /** The same data, as a command of another process sees it. */
  readonly opened: OpenedTeamStore;
  /** Resolves with the problems of the next time that the config file is read. */
  reloaded(change: JsonObject): Promise<readonly string[]>;
  /** Resolves with the audit log, after everything was written. */
  audit(): Promise<readonly AuditEntry[]>;
  /** Creates a token for a person. */
  token(person: string, scopes?: TokenScopes, name?: string): Promise<string>;
  /** Sends a modern request. */
  send(token: string, method: string, params?: JsonObject, path?: string): Promise<TeamAnswer>;
  /** Opens the gateway's pages with cookies of their own, like a browser. */
  browser(): TeamBrowser;
  /** Connects the official client. */
  connect(token: string, era: Era, options?: ClientOptions & { readonly path?: string }): Promise<Client>;
}

/** Starts a gateway with `config`, which needs neither an address nor access. */
export async function startTeam(
  config: JsonObject,
  options: Partial<TeamGatewayOptions> = {},
): Promise<Team> {
  const sandbox = await createSandbox();
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const complete = (given: JsonObject): JsonObject => ({
    publicUrl: origin,
    listen: `127.0.0.1:${port}`,
    access: {},
    ...given,
  });
  const configFile = await sandbox.writeProject("gateway.jsonc", complete(config));
  const host = { home: sandbox.home, ...options.host, env: { ...sandbox.env(), ...options.host?.env } };
  let onReload = (_problems: readonly string[]): void => {};
  const gateway = await startTeamGateway({
    ...options,
    offer: { waitMs: 60_000, ...options.offer }, // however busy the machine is
    configFile,
    host,
    onReload: (problems) => onReload(problems),
  });
  const environment = nodeEnvironment(host);
  const opened = await openTeamStore(await loadTeamConfig(configFile, nodePorts().files, environment), {
    ports: nodePorts(),
    places: findOwnPaths(environment),
    environment,
    isGateway: false,
  });
  const store = opened.team;
  const clients: Client[] = [];
  return {
    sandbox,
    gateway,
    url: `${origin}/mcp`,
    configFile,
    store,
    opened,
    async reloaded(change) {
      const done = new Promise<readonly string[]>((resolve) => {
        onReload = resolve;
      });
      await sandbox.writeProject("gateway.jsonc", complete(change));
      return done;
    },
    async audit() {
      await gateway.saved();
      return opened.audit.read({ limit: 10_000 });
    },
    async token(person, scopes = {}, name = "test") {
      const { id } = await findPerson(store.people, person);
      const { text } = await createToken(
        store.tokens,
        { person: id, name, scopes, lifetimeMs: 3_600_000 },
        Date.now(),
      );
      return text;
    },
    async send(token, method, params = {}, path = "/mcp") {
      const { name, uri } = params;
      const named = name ?? uri;
      const response = await fetch(origin + path, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": method,
          ...(typeof named === "string" && { "mcp-name": named }),
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method,
          params: {
            ...params,
            _meta: {
              [`${META}protocolVersion`]: "2026-07-28",
              [`${META}clientCapabilities`]: {},
              ...(isJsonObject(params["_meta"]) && params["_meta"]),
            },
          },
        }),
      });
      return { status: response.status, headers: response.headers, body: bodyIn(await response.text()) };
    },
    browser: () => createBrowser(origin),
    async connect(token, era, { path = "/mcp", ...options } = {}) {
      const mode = era === "legacy" ? "legacy" : { pin: "2026-07-28" };
      const client = new Client(
        { name: "test", version: "1.0.0" },
        { versionNegotiation: { mode }, ...options },
      );
      clients.push(client);
      const headers = { authorization: `Bearer ${token}` };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(path, origin), { requestInit: { headers } }),
      );
      return client;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.close().catch(() => {})));
      await gateway.close();
      await opened.close();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

/** Reads JSON, or the last message of an event stream. */
function bodyIn(text: string): JsonObject {
  const events = [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, data]) => data);
  const last = text.startsWith("{") ? text : events.at(-1);
  return last === undefined ? {} : (JSON.parse(last) as JsonObject);
}

/** Returns a browser that keeps cookies and follows no redirects by itself. */
export function createBrowser(origin: string): TeamBrowser {
  const jar = new Map<string, string>();
  const open = async (url: string, init: RequestInit): Promise<TeamPage> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(new URL(url, origin), {
      redirect: "manual",
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...(cookie !== "" && { cookie }) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    const refresh = /^0;url=(.*)$/.exec(response.headers.get("refresh") ?? "")?.[1];
    return {
      status: response.status,
      text: await response.text(),
      next: response.headers.get("location") ?? refresh,
      headers: response.headers,
    };
  };
  const browser: TeamBrowser = {
    get: (url, headers = {}) => open(url, { headers }),
    post: (url, form = {}, headers = { origin }) =>
      open(url, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        body: new URLSearchParams(form).toString(),
      }),
    signIn: (token) => browser.post("/login", { token }),
  };
  return browser;
}
