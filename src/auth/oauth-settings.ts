import { isJsonObject, type JsonObject, type JsonValue } from "../model/index.ts";
import { isWebUrl } from "../platform/index.ts";

/** The `oauth` settings of one entry. All are optional, because most servers announce what is needed. */
export interface OauthSettings {
  readonly grant: "authorization_code" | "client_credentials" | "jwt_bearer";
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scope?: string;
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly authServerMetadataUrl?: string;
  /** The URL of a document that describes this client. */
  readonly clientMetadataUrl?: string;
  readonly callbackPort?: number;
  readonly redirectUri?: string;
  readonly allowNoPkce?: boolean;
  /** A private key in PEM format, for clients that authenticate with a signature. */
  readonly privateKey?: string;
  readonly signingAlgorithm?: string;
  /** A signed assertion to exchange for a token. */
  readonly assertion?: string;
  /** The identity provider that issues the assertion. */
  readonly idp?: { readonly tokenUrl: string; readonly clientId: string; readonly idToken: string };
  /** Request tokens that are bound to a key on this machine (DPoP). */
  readonly dpop?: boolean;
}

const GRANTS: Readonly<Record<string, OauthSettings["grant"]>> = {
  client_credentials: "client_credentials",
  jwt_bearer: "jwt_bearer",
  "urn:ietf:params:oauth:grant-type:jwt-bearer": "jwt_bearer",
};

/** Reads the `oauth` field of an entry, including the spellings of other tools. `false` disables OAuth. */
export function readOauthSettings(value: JsonValue | undefined): OauthSettings | false {
  if (value === false) return false;
  const fields = isJsonObject(value) ? value : {};
  if (fields["enabled"] === false) return false;
  const text = (...names: readonly string[]): string | undefined =>
    names
      .flatMap((name) => [fields[name], fields[snake(name)]])
      .find((found) => typeof found === "string" && found !== "") as string | undefined;
  const port = fields["callbackPort"] ?? fields["callback_port"];
  const isPort = typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65_536;
  const { scopes } = fields;
  const texts = {
    clientId: text("clientId"),
    clientSecret: text("clientSecret"),
    scope: text("scope", "scopes") ?? (Array.isArray(scopes) ? scopes.map(String).join(" ") : undefined),
    authorizationUrl: text("authorizationUrl", "authUrl"),
    tokenUrl: text("tokenUrl"),
    authServerMetadataUrl: text("authServerMetadataUrl"),
    clientMetadataUrl: text("clientMetadataUrl"),
    redirectUri: text("redirectUri"),
    privateKey: text("privateKey"),
    signingAlgorithm: text("signingAlgorithm"),
    assertion: text("assertion"),
  };
  const idp = readIdp(fields["idp"]);
  return {
    grant: GRANTS[text("grantType") ?? ""] ?? (idp || texts.assertion ? "jwt_bearer" : "authorization_code"),
    ...(Object.fromEntries(Object.entries(texts).filter(([, found]) => found !== undefined)) as Partial<
      typeof texts
    > as object),
    ...(isPort && { callbackPort: port }),
    ...(fields["allowNoPkce"] === true && { allowNoPkce: true }),
    ...(fields["dpop"] === true && { dpop: true }),
    ...(idp && { idp }),
  };
}

function readIdp(value: JsonValue | undefined): OauthSettings["idp"] {
  const { tokenUrl, clientId, idToken } = isJsonObject(value) ? value : ({} as JsonObject);
  return typeof tokenUrl === "string" && typeof clientId === "string" && typeof idToken === "string"
    ? { tokenUrl, clientId, idToken }
    : undefined;
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the origins of the sign-in URLs in an `oauth` field. */
export function signInOrigins(oauth: JsonValue | undefined): string[] {
  const settings = readOauthSettings(oauth);
  if (settings === false) return [];
  const { authorizationUrl, tokenUrl, authServerMetadataUrl, idp } = settings;
  return originsOf([authorizationUrl, tokenUrl, authServerMetadataUrl, idp?.tokenUrl]);
}

/** The origins of those that are http or https addresses. */
export function originsOf(urls: readonly (string | undefined)[]): string[] {
  return urls.flatMap((url = "") =>
    URL.canParse(url) && isWebUrl(new URL(url)) ? [new URL(url).origin] : [],
  );
}
