import type { AuthorizationServer } from "oauth4webapi";
import type { JsonObject } from "../../model/index.ts";
import { type AuthDeps, type AuthSubject, serverKey } from "../auth-subject.ts";
import type { SignInPlan } from "../discovery/plan-sign-in.ts";
import type { Guard } from "../guard/guarded-fetch.ts";
import { scopeUnion } from "../scopes.ts";
import type { Tokens } from "../token-request.ts";
import { type Credential, credentialId, DEFAULT_ACCOUNT, type OauthClient, programId } from "./credential.ts";
import { assertOwnSignInId } from "./sign-in-owner.ts";

export interface CompletedSignIn {
  readonly subject: AuthSubject;
  readonly account: string;
  readonly guard: Guard;
  readonly plan: SignInPlan;
  /** The requested scopes. They count as granted, because requesting them again would not help. */
  readonly scope: string | undefined;
  readonly client: OauthClient;
  readonly tokens: Tokens;
  readonly dpopKey: JsonObject | undefined;
}

/** Saves a sign-in and replaces the account's previous one. */
export async function saveSignIn({ credentials }: AuthDeps, signIn: CompletedSignIn): Promise<Credential> {
  const { subject, account, guard, plan, client, tokens, dpopKey } = signIn;
  const { name, url, settings, entry } = subject;
  const { as, resource } = plan;
  await assertOwnSignInId(credentials, subject);
  // The ID in the entry belongs to one account. Other accounts get their own IDs.
  const isUsual = url === undefined || account === (subject.account ?? DEFAULT_ACCOUNT);
  const named = isUsual ? subject.credentialId : undefined;
  const key = url === undefined ? "" : serverKey({ ...subject, url });
  const ownId =
    url === undefined
      ? programId(entry.file, name)
      : credentialId(as.issuer, client.clientId, resource ?? "", account, ownerIn(key));
  const launch = entry.project?.launch;
  const isPerson = settings.grant === "authorization_code"; // the secret of a machine client stays in its entry
  const scope = scopeUnion(signIn.scope, tokens.scope);
  return credentials.adopt({
    ...tokens,
    id: named ?? ownId,
    account,
    server: knownServer(as),
    client: isPerson ? knownClient(client) : { clientId: client.clientId },
    ...(url === undefined
      ? { program: { name, file: entry.file, ...(launch !== undefined && { launch }) } }
      : { url: key }),
    ...(resource !== undefined && { resource }),
    ...(guard.reach !== undefined && { reach: guard.reach }),
    ...(scope !== undefined && { scope }),
    ...(dpopKey && { dpop: dpopKey }),
    generation: 0,
  });
}

function ownerIn(key: string): string[] {
  return key.split("#").slice(1);
}

function knownClient({ clientId, clientSecret, method }: OauthClient): OauthClient {
  return {
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(method !== undefined && { method }),
  };
}

/** Returns the metadata that is needed after the sign-in. */
function knownServer(as: AuthorizationServer): Credential["server"] {
  const { issuer, token_endpoint, revocation_endpoint, token_endpoint_auth_methods_supported: methods } = as;
  return {
    issuer,
    ...(token_endpoint !== undefined && { token_endpoint }),
    ...(revocation_endpoint !== undefined && { revocation_endpoint }),
    ...(methods !== undefined && { token_endpoint_auth_methods_supported: methods }),
  };
}
