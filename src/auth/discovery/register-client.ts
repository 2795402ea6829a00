import * as oauth from "oauth4webapi";
import { HostError, isJsonObject, type Redactor } from "../../model/index.ts";
import type { Vault } from "../../state/index.ts";
import type { OauthClient } from "../credentials/credential.ts";
import { assertValidToken } from "../credentials/valid-token.ts";
import type { Guard } from "../guard/guarded-fetch.ts";
import type { OauthSettings } from "../oauth-settings.ts";
import { requestOptions } from "../token-request.ts";

const CLIENTS = "oauth.clients";

/** A client that was registered with an authorization server. */
export interface Registration extends OauthClient {
  readonly redirectUri: string;
  readonly secretExpiresAt?: number;
}

/** The input for choosing or registering a client. */
export interface ClientRequest {
  readonly server: string;
  readonly settings: OauthSettings;
  readonly as: oauth.AuthorizationServer;
}

/** Returns the client of the entry: its client ID, or its metadata document if the server supports that. */
export function configuredClient({ settings, as }: ClientRequest): OauthClient | undefined {
  const { clientId, clientSecret, clientMetadataUrl } = settings;
  if (clientId !== undefined) return { clientId, ...(clientSecret !== undefined && { clientSecret }) };
  if (clientMetadataUrl !== undefined && as["client_id_metadata_document_supported"] === true)
    return { clientId: clientMetadataUrl, method: "none" };
  return undefined;
}

/** Stores client registrations. Each issuer needs only one. */
export class Registrations {
  readonly #vault: Vault;
  readonly #redactor: Redactor;

  constructor(vault: Vault, redactor: Redactor) {
    this.#vault = vault;
    this.#redactor = redactor;
  }

  async find(issuer: string, now: number): Promise<Registration | undefined> {
    const kept = await this.#vault.read(CLIENTS, issuer);
    if (!isJsonObject(kept) || typeof kept["clientId"] !== "string") return undefined;
    const registration = kept as unknown as Registration;
    const { secretExpiresAt = 0, clientSecret = "" } = registration;
    this.#redactor.add(clientSecret);
    return secretExpiresAt !== 0 && secretExpiresAt <= now ? undefined : registration;
  }

  async register(guard: Guard, question: ClientRequest, redirectUri: string): Promise<Registration> {
    const { as } = question;
    if (as.registration_endpoint === undefined) throw clientRequired(question, redirectUri);
    const { client_id, client_secret, token_endpoint_auth_method, client_secret_expires_at } =
      await requestRegistration(guard, as, redirectUri);
    const registration: Registration = {
      clientId: client_id,
      redirectUri,
      ...(typeof client_secret === "string" && { clientSecret: client_secret }),
      ...(typeof token_endpoint_auth_method === "string" && { method: token_endpoint_auth_method }),
      ...(Number(client_secret_expires_at) > 0 && {
        secretExpiresAt: Number(client_secret_expires_at) * 1000,
      }),
    };
    this.#redactor.add(registration.clientSecret ?? "");
    await this.#vault.update(CLIENTS, as.issuer, () => JSON.parse(JSON.stringify(registration)));
    return registration;
  }

  /** Removes a registration that the authorization server no longer accepts. A newer one is kept. */
  async forget(issuer: string, clientId: string): Promise<void> {
    const kept = await this.#vault.read(CLIENTS, issuer);
    if (isJsonObject(kept) && kept["clientId"] === clientId) await this.#vault.remove(CLIENTS, issuer);
  }
}

/** Registers a client with an authorization server. `metadata` overrides the default client metadata. */
export async function requestRegistration(
  guard: Guard,
  as: oauth.AuthorizationServer,
  redirectUri: string,
  metadata: object = {},
): Promise<oauth.OmitSymbolProperties<oauth.Client>> {
  const wanted = {
    client_name: "Plugboard",
    application_type: "native",
    redirect_uris: [redirectUri],
    response_types: ["code"],
    grant_types: grantsOf(as),
    token_endpoint_auth_method: methodOf(as),
    ...metadata,
  };
  const response = await oauth.dynamicClientRegistrationRequest(as, wanted, requestOptions(guard));
  const client = await readRegistration(response);
  const { client_secret: secret } = client;
  assertValidToken("the client ID", client.client_id);
  assertValidToken("the client secret", typeof secret === "string" ? secret : "");
  return client;
}

/** Accepts responses with status 200 instead of 201 or without `client_secret_expires_at`, which many servers send. */
async function readRegistration(response: Response): Promise<oauth.OmitSymbolProperties<oauth.Client>> {
  if (response.status !== 200 && response.status !== 201)
    return oauth.processDynamicClientRegistrationResponse(response);
  const document: unknown = await response.json().catch(() => undefined);
  const completed = { client_secret_expires_at: 0, ...(isJsonObject(document) ? document : {}) };
  const { headers } = response;
  return oauth.processDynamicClientRegistrationResponse(Response.json(completed, { status: 201, headers }));
}

function grantsOf({
  grant_types_supported: supported,
  device_authorization_endpoint,
}: oauth.AuthorizationServer) {
  const device = "urn:ietf:params:oauth:grant-type:device_code";
  const wanted = ["authorization_code", "refresh_token", ...(device_authorization_endpoint ? [device] : [])];
  return wanted.filter(
    (grant) => grant === "authorization_code" || (supported?.includes(grant) ?? grant !== device),
  );
}

/** A program on a user's machine cannot protect a client secret, so `none` is preferred if the server supports it. */
function methodOf({ token_endpoint_auth_methods_supported: supported }: oauth.AuthorizationServer): string {
  const known = ["none", "client_secret_basic", "client_secret_post"];
  return known.find((method) => supported?.includes(method)) ?? "none";
}

/** Returns the error for an authorization server that requires a manually registered client. */
export function clientRequired({ server, as }: ClientRequest, redirectUri: string): HostError {
  const where = new URL(as.issuer).host;
  return new HostError(
    "AUTH_CLIENT_REQUIRED",
    `"${server}" requires an OAuth client that is registered with ${where}, which does not support automatic registration.`,
    {
      server,
      hint: `Register a native application there with the redirect URI ${redirectUri}, then set "oauth": { "clientId": "…" } in its entry.`,
    },
  );
}
