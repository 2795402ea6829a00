import * as oauth from "oauth4webapi";
import { messageOf } from "../../model/index.ts";
import type { EntryLock } from "../../state/index.ts";
import { oauthErrorCode, signInRequired } from "../auth-error.lazy.ts";
import type { AuthDeps, AuthSubject } from "../auth-subject.ts";
import { guardFor } from "../guard/guard-for.ts";
import type { OauthSettings } from "../oauth-settings.ts";
import {
  clientAuth,
  requestOptions,
  retryWithNonce,
  toClient,
  toTokens,
  withoutIdToken,
} from "../token-request.ts";
import type { Credential, OauthClient } from "./credential.ts";
import { dpopHandle } from "./dpop.lazy.ts";
import { unusedReason } from "./sign-in-owner.ts";

/**
 * Renews the tokens of a sign-in under a lock that all processes share. If another process has renewed them in the
 * meantime, returns its tokens: most servers end the sign-in if a refresh token is used twice.
 */
export async function renewCredential(
  deps: AuthDeps,
  subject: AuthSubject,
  seen: Credential,
): Promise<Credential> {
  const { credentials, ports, unwritten } = deps;
  const { name } = subject;
  return credentials.exclusively(seen.id, async (turn) => {
    const kept = await credentials.byId(seen.id);
    if (kept === undefined) throw signInRequired(name, "the sign-in was removed");
    const unused = await unusedReason(credentials, kept, subject);
    if (unused !== undefined) throw signInRequired(name, `the sign-in was replaced: ${unused}`);
    if (kept.generation > seen.generation) return kept;
    const current = isNextOf(kept, seen) ? seen : kept;
    if (current.ended !== undefined) throw signInRequired(name, current.ended);
    if (current.refreshToken === undefined) throw signInRequired(name, "the sign-in is no longer valid");
    await credentials.save({ ...current, renewing: true }, turn);
    const renewed = await request(deps, subject, current, { refreshToken: current.refreshToken, turn });
    unwritten.delete(seen.id);
    await credentials.save(renewed, turn).catch((error: unknown) => {
      unwritten.set(seen.id, renewed);
      ports.log.log("warn", "auth.renewal.unwritten", { server: name, error: messageOf(error) });
    });
    return renewed;
  });
}

/** Saves renewed tokens that could not be saved before. The previous tokens are no longer valid. */
export async function writeUnwritten({
  credentials,
  unwritten,
}: Pick<AuthDeps, "credentials" | "unwritten">): Promise<void> {
  const write = ([id, renewed]: readonly [string, Credential]): Promise<void> =>
    credentials.exclusively(id, async (turn) => {
      const kept = await credentials.byId(id);
      if (kept !== undefined && isNextOf(kept, renewed)) await credentials.save(renewed, turn);
    });
  await Promise.allSettled([...unwritten].map(write));
}

/** Returns whether `renewed` is the unsaved result of renewing `kept`. */
function isNextOf(kept: Credential, renewed: Credential): boolean {
  return kept.renewing === true && kept.generation + 1 === renewed.generation;
}

async function request(
  deps: AuthDeps,
  subject: AuthSubject,
  current: Credential,
  { refreshToken, turn }: { readonly refreshToken: string; readonly turn: EntryLock },
): Promise<Credential> {
  const { ports, credentials } = deps;
  const { name, settings } = subject;
  const { resource, url, reach, scope, dpop } = current;
  const isOfConfig = settings.clientId !== undefined;
  const client = isOfConfig ? { ...current.client, ...secretOf(settings) } : current.client;
  const as = current.server as oauth.AuthorizationServer;
  const guard = guardFor(deps, subject, {
    server: new URL(url ?? as.token_endpoint ?? ""),
    reach,
    known: [as.issuer, as.token_endpoint],
  });
  const handle = dpop && (await dpopHandle(dpop));
  const ask = async (): Promise<oauth.TokenEndpointResponse> => {
    await turn.assertHeld(); // a second request with the same refresh token would end the sign-in
    const response = await oauth.refreshTokenGrantRequest(
      as,
      toClient(client),
      clientAuth(as, client),
      refreshToken,
      {
        ...requestOptions(guard),
        ...(resource !== undefined && { additionalParameters: { resource } }),
        ...(handle && { DPoP: handle }),
      },
    );
    return oauth.processRefreshTokenResponse(as, toClient(client), await withoutIdToken(response));
  };
  const now = ports.clock.now();
  try {
    const answer = await retryWithNonce(handle, ask);
    // A new token without an expiry must not inherit the old one.
    const { renewing: _, expiresAt: __, ...rest } = current;
    const tokens = { refreshToken, ...toTokens(answer, now, scope) };
    return { ...rest, ...tokens, ...(scope !== undefined && { scope }), generation: current.generation + 1 };
  } catch (error) {
    // Without a response it is unknown whether the refresh token was used. `renewing` stays set for the next attempt.
    const code = oauthErrorCode(error) ?? "";
    // A wrong client secret in the entry does not make the sign-in invalid.
    if (!FINAL.has(code) || (isOfConfig && code === "invalid_client")) throw error;
    const ended =
      current.renewing === true
        ? "an earlier renewal was interrupted, and its tokens were lost"
        : `the sign-in is no longer valid (${code})`;
    const { refreshToken: _, renewing: __, ...rest } = current;
    await credentials.save({ ...rest, ended }, turn);
    throw signInRequired(name, ended, messageOf(error));
  }
}

/** Returns the client secret in the entry, which may be newer than the stored one. */
function secretOf({ clientSecret }: OauthSettings): Pick<OauthClient, "clientSecret"> {
  return clientSecret === undefined ? {} : { clientSecret };
}

/** Error codes after which the refresh token can no longer be used. */
const FINAL: ReadonlySet<string> = new Set(["invalid_grant", "invalid_client", "unauthorized_client"]);
