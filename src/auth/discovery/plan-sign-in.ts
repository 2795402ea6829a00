import type { AuthorizationServer } from "oauth4webapi";
import type { Credential } from "../credentials/credential.ts";
import type { Guard } from "../guard/guarded-fetch.ts";
import type { OauthSettings } from "../oauth-settings.ts";
import { Refusal } from "../refusal.ts";
import type { Challenge } from "./challenge.ts";
import { canonicalResource, discoverResource, fetchDocument } from "./discover-resource.ts";
import { discoverServer, readServerAt } from "./discover-server.ts";

/** The authorization server, resource and scope of a sign-in. */
export interface SignInPlan {
  readonly as: AuthorizationServer;
  /** The endpoints come from the entry, so there is no issuer to compare with. */
  readonly manual: boolean;
  readonly resource: string | undefined;
  /** The scopes that the entry or the server requires. */
  readonly scope: string | undefined;
}

export interface PlanRequest {
  readonly url: URL | undefined;
  readonly settings: OauthSettings;
  readonly challenge: Challenge | undefined;
  /** The existing sign-in. Its issuer is preferred if the server still names it. */
  readonly before?: Pick<Credential, "server" | "client"> | undefined;
}

/** Finds the authorization server in the entry or by discovery. Returns `undefined` if there is none, throws if it is unsafe. */
export async function planSignIn(guard: Guard, question: PlanRequest): Promise<SignInPlan | undefined> {
  const { url, settings, challenge, before } = question;
  const manual = manualServer(guard, settings);
  const fallback = url && canonicalResource(url);
  if (manual !== undefined)
    return { as: manual, manual: true, resource: fallback, scope: settings.scope ?? challenge?.scope };
  if (url === undefined) return undefined;
  const found = await discoverResource(guard, url, challenge?.resourceMetadata);
  const as = await findServer(guard, url, settings, found?.issuers ?? [], before?.server.issuer);
  if (as !== undefined) assertOwnIssuer(as, settings, before);
  const scope = settings.scope ?? challenge?.scope ?? found?.scope;
  return as && { as, manual: false, resource: found?.resource ?? fallback, scope };
}

/**
 * Throws if a client's secret would be sent to another authorization server than before, because the server chooses it. The user has
 * registered the client at one of them.
 */
function assertOwnIssuer(
  { issuer }: AuthorizationServer,
  { clientId, clientSecret, assertion, idp, authServerMetadataUrl }: OauthSettings,
  before: PlanRequest["before"],
): void {
  const hasSecret = (clientSecret ?? assertion ?? idp) !== undefined;
  if (!hasSecret || authServerMetadataUrl !== undefined || before === undefined) return;
  const { server: known, client } = before;
  if (known.issuer === issuer || client.clientId !== clientId) return;
  throw new Refusal(
    `the server now signs in at ${hostOf(issuer)}, but the client in its entry belongs to ${hostOf(known.issuer)}, so its secret is not sent; if the server has moved, sign out first, or set authServerMetadataUrl in "oauth"`,
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

async function findServer(
  guard: Guard,
  url: URL,
  { authServerMetadataUrl }: OauthSettings,
  issuers: readonly string[],
  known: string | undefined,
): Promise<AuthorizationServer | undefined> {
  if (authServerMetadataUrl !== undefined) return readServerAt(guard, authServerMetadataUrl);
  const issuer = known !== undefined && issuers.includes(known) ? known : issuers[0];
  return issuer === undefined ? serverOfOrigin(guard, url) : discoverServer(guard, issuer);
}

/** In revisions up to 2025-03-26, the server's origin is also the issuer. */
async function serverOfOrigin(guard: Guard, { origin }: URL): Promise<AuthorizationServer | undefined> {
  const document = await fetchDocument(guard, `${origin}/.well-known/oauth-authorization-server`);
  const issuer = document?.["issuer"];
  return issuer === origin || issuer === `${origin}/` ? discoverServer(guard, issuer) : undefined;
}

/** Returns the authorization server whose endpoints are set in the entry. No discovery is needed. */
function manualServer(guard: Guard, settings: OauthSettings): AuthorizationServer | undefined {
  const { authorizationUrl, tokenUrl } = settings;
  if (tokenUrl === undefined) return undefined;
  if (authorizationUrl === undefined && settings.grant === "authorization_code") return undefined;
  const token = guard.check(tokenUrl, "tokenUrl").href;
  return {
    issuer: token,
    token_endpoint: token,
    ...(authorizationUrl !== undefined && {
      authorization_endpoint: guard.check(authorizationUrl, "authorizationUrl").href,
    }),
    code_challenge_methods_supported: ["S256"],
  };
}
