/**
 * A real authorization server (oidc-provider) and an MCP server that accepts only its tokens, each on a port of
 * 127.0.0.1. Prints `listening <url>` and exits when its input ends. Every sign-in succeeds at once.
 * Arguments: --ask (shows a sign-in page and a consent page instead), --no-registration, --access-ttl seconds, --path /tenant (of the issuer), --strict-registration.
 * The MCP server's `/control/…` returns JSON and changes its behaviour: `stats`, `expire` (every access token ends),
 * `revoke` (every sign-in ends), `hold?when=before|after` (the next request for tokens is never looked at, or never answered), `forget-clients`, `require?scope=…` (what `tools/call` takes), `migrate` (another issuer).
 */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { createToolServer } from "./tool-set.mjs";

console.info = console.warn = () => {}; // it warns that it is not for production, which is true
const { Provider } = await import("oidc-provider");

const { values: flags } = parseArgs({
  options: {
    "no-registration": { type: "boolean", default: false },
    "access-ttl": { type: "string", default: "3600" },
    ask: { type: "boolean", default: false },
    client: { type: "string" },
    secret: { type: "string" },
  },
});
const stats = {
  held: 0,
  bearers: 0,
  registrations: 0,
  authorizations: 0,
  grants: {},
  refusals: {},
  calls: 0,
};
const tokens = new Set();
const control = { scope: "", hold: "" };
const SCOPES = "mcp:read mcp:write offline_access";

const mcp = createServer();
await listen(mcp);
const url = `http://127.0.0.1:${mcp.address().port}/mcp`;
const first = await startIssuer();
let current = first;

const serve = toNodeHandler(createMcpHandler(createToolServer));
/** Clients with write access get one more tool. */
const serveWriter = toNodeHandler(
  createMcpHandler(() => {
    const server = createToolServer();
    const answer = async () => ({ content: [{ type: "text", text: "published" }] });
    server.registerTool("publish", { description: "For those who may write." }, answer);
    return server;
  }),
);
mcp.on("request", (request, response) => void answer(request, response));
console.log(`listening ${url}`);
process.stdin.resume().on("end", () => process.exit(0));

async function answer(request, response) {
  const { origin, pathname, searchParams } = new URL(request.url, url);
  const json = (value) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
  if (pathname.startsWith("/control/")) return json(await obey(pathname.slice(9), searchParams));
  if (pathname === "/.well-known/oauth-protected-resource/mcp") {
    return json({ resource: url, authorization_servers: [current.issuer], scopes_supported: ["mcp:read"] });
  }
  if (pathname !== "/mcp") return response.writeHead(404).end();
  const [, token = ""] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "") ?? [];
  if (token) stats.bearers += 1;
  if (token) tokens.add(token);
  const { AccessToken, ClientCredentials } = current.provider;
  const found = token && ((await AccessToken.find(token)) ?? (await ClientCredentials.find(token)));
  const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
  if (!found || found.aud !== url) {
    const error = token ? 'error="invalid_token", ' : "";
    return response
      .writeHead(401, { "www-authenticate": `Bearer ${error}scope="mcp:read", ${metadata}` })
      .end();
  }
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = JSON.parse(Buffer.concat(chunks).toString() || "null");
  const needed = body?.method === "tools/call" ? control.scope : "";
  if (needed && !found.scope?.split(" ").includes(needed)) {
    const challenge = `Bearer error="insufficient_scope", scope="${needed}", ${metadata}`;
    return response.writeHead(403, { "www-authenticate": challenge }).end();
  }
  if (body?.method === "tools/call") stats.calls += 1;
  const isWriter = found.scope?.split(" ").includes("mcp:write");
  return (isWriter ? serveWriter : serve)(request, response, body);
}

async function obey(word, parameters) {
  const clear = (...kinds) => kinds.forEach((kind) => current.entries(kind).clear());
  if (word === "expire") clear("AccessToken", "ClientCredentials");
  if (word === "revoke") clear("AccessToken", "RefreshToken", "Grant");
  if (word === "forget-clients") current.entries("Client").clear();
  if (word === "require") control.scope = parameters.get("scope") ?? "";
  if (word === "hold") control.hold = parameters.get("when") ?? "";
  if (word === "release") control.release?.();
  if (word === "migrate") current = await startIssuer();
  return {
    ...stats,
    issuer: current.issuer,
    tokens: tokens.size,
    alive: current.entries("RefreshToken").size,
  };
}

async function startIssuer() {
  const server = createServer();
  await listen(server);
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const store = new Map();
  const entries = (kind) => {
    if (!store.has(kind)) store.set(kind, new Map());
    return store.get(kind);
  };
  const provider = new Provider(issuer, {
    adapter: memoryAdapter(entries),
    clients: flags.client
      ? [
          {
            client_id: flags.client,
            application_type: "native",
            redirect_uris: ["http://127.0.0.1/callback"],
            grant_types: ["authorization_code", "refresh_token", "client_credentials"],
            ...(flags.secret ? { client_secret: flags.secret } : { token_endpoint_auth_method: "none" }),
          },
        ]
      : [],
    cookies: { keys: [randomBytes(16).toString("hex")] },
    scopes: SCOPES.split(" "),
    clientDefaults: { grant_types: ["authorization_code", "refresh_token"] },
    pkce: { required: () => true },
    ttl: {
      AccessToken: Number(flags["access-ttl"]),
      RefreshToken: 86_400,
      Grant: 86_400,
      Session: 86_400,
      Interaction: 600,
    },
    rotateRefreshToken: true,
    issueRefreshToken: async (_, client) => client.grantTypeAllowed("refresh_token"),
    expiresWithSession: async () => false,
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: !flags["no-registration"] },
      revocation: { enabled: true },
      deviceFlow: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => ({
          scope: "mcp:read mcp:write",
          audience: resource,
          accessTokenTTL: Number(flags["access-ttl"]),
          accessTokenFormat: "opaque",
        }),
      },
    },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  });
  const count = (table, key) => {
    table[key] = (table[key] ?? 0) + 1;
  };
  provider.on("grant.success", (ctx) => count(stats.grants, ctx.oidc.params.grant_type));
  provider.on("grant.error", (ctx, error) => count(stats.refusals, error.error));
  provider.on("registration_create.success", () => {
    stats.registrations += 1;
  });
  provider.on("authorization.success", () => {
    stats.authorizations += 1;
  });
  const handle = provider.callback();
  server.on("request", (request, response) => {
    if (request.url.startsWith("/interaction/")) void (flags.ask ? ask : agree)(provider, request, response);
    else if (request.url === "/token" && control.hold !== "") hold(request, response, handle);
    else void handle(request, response);
  });
  return { provider, issuer, entries };
}

/** Simulates a client that dies: before its request is processed, or before the response is sent. */
function hold(request, response, handle) {
  const { hold: when } = control;
  control.hold = "";
  if (when === "after") {
    response.end = () => {
      stats.held += 1;
      return response;
    };
    handle(request, response);
  } else {
    stats.held += 1;
    control.release = () => handle(request, response);
  }
}

/** The pages for the user: sign-in and consent. */
async function ask(provider, request, response) {
  if (request.method === "POST") {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (new URLSearchParams(body).get("answer") !== "no") return agree(provider, request, response);
    const refusal = { error: "access_denied", error_description: "<b>The person</b> said no" };
    return provider.interactionFinished(request, response, refusal);
  }
  const { prompt, params } = await provider.interactionDetails(request, response);
  const field =
    prompt.name === "login" ? '<input name="login" autofocus required>' : `<p>${params.scope}</p>`;
  return response
    .writeHead(200, { "content-type": "text/html" })
    .end(`<!doctype html><title>${prompt.name}</title><link rel="icon" href="data:,">
<form method="post">${field}<button name="answer" value="yes">Yes</button>
<button name="answer" value="no" formnovalidate>No</button></form>`);
}

/** Grants everything that is requested, as the user. */
async function agree(provider, request, response) {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    return provider.interactionFinished(request, response, { login: { accountId: "me" } });
  }
  const grant = grantId
    ? await provider.Grant.find(grantId)
    : new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  const { missingOIDCScope, missingResourceScopes = {} } = prompt.details;
  if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(" "));
  for (const [resource, scopes] of Object.entries(missingResourceScopes)) {
    grant.addResourceScope(resource, scopes.join(" "));
  }
  const id = await grant.save();
  return provider.interactionFinished(
    request,
    response,
    { consent: { grantId: id } },
    { mergeWithLastSubmission: true },
  );
}

/** Like the built-in adapter, but its entries can be removed. */
function memoryAdapter(entries) {
  return class {
    constructor(name) {
      this.name = name;
    }
    get mine() {
      return entries(this.name);
    }
    async upsert(id, payload, expiresIn) {
      this.mine.set(id, {
        payload: structuredClone(payload),
        ends: expiresIn ? Date.now() + expiresIn * 1000 : Infinity,
      });
    }
    async find(id) {
      const entry = this.mine.get(id);
      return entry && entry.ends > Date.now() ? structuredClone(entry.payload) : undefined;
    }
    async findByUid(uid) {
      return [...this.mine.values()].map(({ payload }) => payload).find((payload) => payload.uid === uid);
    }
    async findByUserCode(code) {
      return [...this.mine.values()]
        .map(({ payload }) => payload)
        .find((payload) => payload.userCode === code);
    }
    async consume(id) {
      const entry = this.mine.get(id);
      if (entry) entry.payload.consumed = Math.floor(Date.now() / 1000);
    }
    async destroy(id) {
      this.mine.delete(id);
    }
    async revokeByGrantId(grantId) {
      for (const kind of ["AccessToken", "AuthorizationCode", "RefreshToken", "DeviceCode"]) {
        for (const [id, { payload }] of entries(kind))
          if (payload.grantId === grantId) entries(kind).delete(id);
      }
    }
  };
}

function listen(server) {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
}
