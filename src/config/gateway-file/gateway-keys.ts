import type { KeySpec } from "./key-spec.ts";

const ADDRESS = String.raw`^(?:\[[0-9a-fA-F:]+\]|[^:\[\]\s]*):\d{1,5}$`;
const URL_WITHOUT_PATH = String.raw`^https?://[^/?#@\s]+$`;
const WEB_URL = String.raw`^https?://[^\s@]+$`;

const text = (summary: string, more: Partial<Extract<KeySpec, { type: "text" }>> = {}): KeySpec => ({
  summary,
  type: "text",
  ...more,
});
const secret = (summary: string): KeySpec => text(summary, { isReference: true });
const url = (summary: string): KeySpec => text(summary, { pattern: WEB_URL, must: "a URL" });
const address = (summary: string): KeySpec =>
  text(summary, { pattern: ADDRESS, must: "[host]:port, such as 0.0.0.0:8443" });
const count = (summary: string, least: number, most: number): KeySpec => ({
  summary,
  type: "number",
  least,
  most,
});
const texts = (summary: string): KeySpec => ({ summary, type: "texts" });
const flag = (summary: string): KeySpec => ({ summary, type: "flag" });

const SIGNATURES = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

const OAUTH: KeySpec = {
  summary: "An identity provider whose access tokens are accepted, or a list of them.",
  type: "list",
  item: {
    summary: "An identity provider.",
    type: "object",
    required: ["issuer"],
    members: {
      issuer: url("The exact issuer of the tokens."),
      audience: text("An audience that is accepted besides the URL of the endpoint."),
      scopes: texts("Scopes that every token must have."),
      groupsClaim: text("The claim with the person's groups. Default: groups."),
      nameClaim: text(
        "The claim with the name that rules use. People must not be able to choose it. Default: sub.",
      ),
      algorithms: {
        summary: "The accepted signature algorithms. Default: RS256, PS256, ES256, EdDSA.",
        type: "texts",
        pattern: `^(?:${SIGNATURES.join("|")})$`,
        must: `one of ${SIGNATURES.join(", ")}`,
      },
      jwksUrl: url("The URL of the issuer's keys. Default: the one in the issuer's metadata."),
      introspection: {
        summary: "How to check tokens that are not JWTs (RFC 7662).",
        type: "object",
        required: ["url", "clientId", "clientSecret"],
        members: {
          url: url("The introspection endpoint."),
          clientId: text("The gateway's client id."),
          clientSecret: secret("The gateway's client secret."),
        },
      },
    },
  },
};

const ACCESS: KeySpec = {
  summary: "Who may use the gateway.",
  type: "object",
  members: {
    tokens: flag("Whether tokens of `plugboard token create` are accepted. Default: true."),
    oauth: OAUTH,
    signIn: {
      summary: "The identity provider (OpenID Connect) for the gateway's pages.",
      type: "object",
      required: ["issuer", "clientId"],
      members: {
        issuer: url("The exact issuer."),
        clientId: text("The gateway's client id. Its redirect URI is <publicUrl>/login/callback."),
        clientSecret: secret("The gateway's client secret."),
        scopes: texts("The scopes to request. Default: openid, profile, email."),
        groupsClaim: text("The claim with the person's groups. Default: groups."),
        nameClaim: text("The claim with the name that rules use. Default: sub."),
      },
    },
    groups: {
      summary: "Groups in addition to the identity provider's: lists of names.",
      type: "map",
      item: texts("The names of the people in the group."),
    },
    administrators: texts("Names of people, or group:<name>."),
    auditors: texts("Names of people, or group:<name>, who may read everything."),
    allowHosts: texts("Further exact Host values."),
    allowOrigins: texts(
      "Exact Origin values of web pages that may send requests. The token is still required.",
    ),
  },
};

/** The keys of `gateway.jsonc`. */
export const GATEWAY_KEYS: KeySpec & { readonly type: "object" } = {
  summary: "The gateway of a team.",
  type: "object",
  required: ["publicUrl", "listen", "access"],
  members: {
    $schema: text("The path or URL of this schema, for editors."),
    publicUrl: text("The address that clients use, without a path.", {
      pattern: URL_WITHOUT_PATH,
      must: "a URL without a path and without a slash at its end",
    }),
    listen: {
      summary: "Where the gateway listens: [host]:port, or an object. Changes need a restart.",
      type: "object",
      short: "address",
      required: ["address"],
      members: {
        address: address("[host]:port"),
        tls: {
          summary: "The certificate and key, in PEM files. They are read again when they change.",
          type: "object",
          required: ["cert", "key"],
          members: {
            cert: text("The file with the certificate and its chain."),
            key: text("The file with the private key."),
          },
        },
        trustedProxies: texts(
          "Addresses or networks of proxies whose X-Forwarded-For counts, such as 10.0.0.0/8.",
        ),
      },
    },
    internal: address("Where /metrics and the health checks are, for machines only. Changes need a restart."),
    cluster: {
      summary:
        "For several gateways with one database: where this one listens for the others, [host]:port, or an object. Changes need a restart.",
      type: "object",
      short: "listen",
      required: ["listen"],
      members: {
        listen: address(
          "[host]:port. Traffic is encrypted, and only gateways with the database's keys are let in.",
        ),
        address: address("Where the other gateways reach this one, host:port. Default: where it listens."),
        drainWaitMs: count(
          "How long a gateway that ends stays reachable for load balancers that still send requests, in milliseconds. Default: 5000.",
          0,
          600_000,
        ),
        drainCallsMs: count(
          "How long running calls may take after that, in milliseconds. Default: 25000.",
          0,
          3_600_000,
        ),
      },
    },
    database: {
      summary:
        "The PostgreSQL database. Without it, one gateway keeps everything in files. Changes need a restart.",
      type: "object",
      short: "url",
      required: ["url"],
      members: {
        url: secret("The connection URL. Several hosts are tried in order."),
        listenUrl: secret("A connection URL without a pooler, for notices."),
        caFile: text("A file with the certificate authorities of the database."),
        migrate: flag(
          "Whether the gateway changes the tables when it starts. Otherwise, run plugboard serve --migrate-only. Default: true.",
        ),
        pool: count("The most connections for work. Default: 8.", 1, 200),
        whenDown: {
          summary: "Whether the gateway stays ready while the database is unavailable. Default: serve.",
          type: "choice",
          values: ["serve", "refuse"],
        },
      },
    },
    keys: {
      summary:
        "Keys that encrypt what the database keeps, or a list of them. The first one is for new values. Each has one of file, variable and command. Changes need a restart.",
      type: "list",
      item: {
        summary: "A key.",
        type: "object",
        required: ["id"],
        members: {
          id: text("A name of your choice. A new key needs a new name."),
          file: text("A file with 32 random bytes, or with their Base64 text."),
          variable: text("The environment variable with the Base64 text of 32 random bytes."),
          command: texts("A program and its arguments that wraps and unwraps keys."),
        },
      },
    },
    access: ACCESS,
    policy: {
      summary: "The rules that decide what people may do, in order. See docs/team.md.",
      type: "any",
      form: "object",
    },
    servers: {
      summary: "The servers, as in mcp.json, each with share, placement, maxConcurrent and credential.",
      type: "any",
      form: "object",
    },
    bundles: { summary: "Named subsets of a server's tools, as in mcp.json.", type: "any", form: "object" },
    limits: {
      summary: "How much people may use.",
      type: "object",
      members: {
        requestsPerSecond: count("Requests of one person per second. Default: 50.", 1, 100_000),
        burst: count("Requests of one person at once. Default: 100.", 1, 100_000),
        concurrent: count("Requests of one person that run at the same time. Default: 32.", 1, 10_000),
        concurrentPerServer: count(
          "Requests to one server that run at the same time. Default: 64.",
          1,
          10_000,
        ),
        concurrentInAll: count("Requests that run at the same time. Default: 256.", 1, 100_000),
        queue: count("Requests that wait. Default: 100.", 0, 100_000),
        sessions: count("Sessions of one person. Default: 50.", 1, 10_000),
        anonymousPerSecond: count("Refused requests of one address per second. Default: 5.", 1, 10_000),
        pagesPerMinute: count(
          "Requests of one address for sign-in pages per minute. Default: 30.",
          1,
          10_000,
        ),
        memoryPercent: count(
          "Above this share of the memory limit, new sessions are refused. Default: 80.",
          10,
          100,
        ),
      },
    },
    audit: {
      summary: "The audit log.",
      type: "object",
      members: {
        required: flag("Whether requests are refused when they cannot be recorded. Default: false."),
        retentionDays: count("How long entries are kept. Default: 90.", 1, 36_500),
        spoolBytes: count(
          "The most bytes that wait on disk while the database is unavailable. Default: 268435456.",
          0,
          1e12,
        ),
      },
    },
    telemetry: {
      summary: "Metrics and traces.",
      type: "object",
      members: {
        metricsToken: secret("A bearer token with which /metrics can be read on the public address."),
        toolLabel: flag("Whether metrics name tools. Default: false."),
      },
    },
  },
};
