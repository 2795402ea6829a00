import * as oauth from "oauth4webapi";
import { messageOf } from "../../model/index.ts";
import type { Turn } from "../../state/index.ts";
import { refusalCode, signInNeeded } from "../auth-error.lazy.ts";
import type { AuthDeps, AuthSubject } from "../auth-subject.ts";
import { guardFor } from "../guard/guard-for.ts";
import type { OauthSettings } from "../oauth-settings.ts";
import {
  clientAuth,
  requestOptions,
  toClient,
  toTokens,
  withNonce,
  withoutIdentity,
} from "../token-request.ts";
import type { Credential, OauthClient } from "./credential.ts";
import { dpopHandle } from "./dpop.lazy.ts";
import { whyUnused } from "./sign-in-owner.ts";

/**
 * New tokens for a sign-in, fenced against every other process: who holds the lock reads again, and adopts what
 * another has fetched meanwhile. Most servers end the whole sign-in when a refresh token is used twice.
 */
export async function renewCredential(
  works: AuthDeps,
  subject: AuthSubject,
  seen: Credential,
): Promise<Credential> {
  const { credentials, ports, unwritten } = works;
  const { name } = subject;
  return credentials.exclusively(seen.id, async (turn) => {
    const kept = await credentials.byId(seen.id);
    if (kept === undefined) throw signInNeeded(name, "the sign-in was removed");
    const unused = await whyUnused(credentials, kept, subject);
    if (unused !== undefined) throw signInNeeded(name, `the sign-in was replaced: ${unused}`);
    if (kept.generation > seen.generation) return kept;
    const current = isNextOf(kept, seen) ? seen : kept;
    if (current.ended !== undefined) throw signInNeeded(name, current.ended);
    if (current.refreshToken === undefined) throw signInNeeded(name, "the sign-in is no longer valid");
    await credentials.save({ ...current, renewing: true }, turn);
    const renewed = await request(works, subject, current, { refreshToken: current.refreshToken, turn });
    unwritten.delete(seen.id);
    await credentials.save(renewed, turn).catch((error: unknown) => {
      unwritten.set(seen.id, renewed);
      ports.log.log("warn", "auth.renewal.unwritten", { server: name, error: messageOf(error) });
    });
    return renewed;
  });
}

/** Once more, for tokens that could not be written down when they came: those before them are used up. */
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

/** Did the one come of renewing the other, and was it not written down? */
function isNextOf(kept: Credential, renewed: Credential): boolean {
  return kept.renewing === true && kept.generation + 1 === renewed.generation;
}

async function request(
  works: AuthDeps,
  subject: AuthSubject,
  current: Credential,
  { refreshToken, turn }: { readonly refreshToken: string; readonly turn: Turn },
): Promise<Credential> {
  const { ports, credentials } = works;
  const { name, settings } = subject;
  const { resource, url, reach, scope, dpop } = current;
  const isOfConfig = settings.clientId !== undefined;
  const client = isOfConfig ? { ...current.client, ...secretOf(settings) } : current.client;
  const as = current.server as oauth.AuthorizationServer;
  const guard = guardFor(works, subject, {
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
    return oauth.processRefreshTokenResponse(as, toClient(client), await withoutIdentity(response));
  };
  const now = ports.clock.now();
  try {
    const answer = await withNonce(handle, ask);
    // Without an end of its own the new token must not inherit the old one's.
    const { renewing: _, expiresAt: __, ...rest } = current;
    const tokens = { refreshToken, ...toTokens(answer, now, scope) };
    return { ...rest, ...tokens, ...(scope !== undefined && { scope }), generation: current.generation + 1 };
  } catch (error) {
    // Whether the tokens are used up is not known when nobody answered: the mark stays, and the next one tries again.
    const code = refusalCode(error) ?? "";
    // A wrong secret in the config says nothing about the sign-in.
    if (!FINAL.has(code) || (isOfConfig && code === "invalid_client")) throw error;
    const ended =
      current.renewing === true
        ? "an earlier renewal was interrupted, and its tokens were lost"
        : `the sign-in is no longer valid (${code})`;
    const { refreshToken: _, renewing: __, ...rest } = current;
    await credentials.save({ ...rest, ended }, turn);
    throw signInNeeded(name, ended, messageOf(error));
  }
}

/** What the config says of its client now, which may be newer than what was kept. */
function secretOf({ clientSecret }: OauthSettings): Pick<OauthClient, "clientSecret"> {
  return clientSecret === undefined ? {} : { clientSecret };
}

/** Refusals after which the same refresh token will never be taken again. */
const FINAL: ReadonlySet<string> = new Set(["invalid_grant", "invalid_client", "unauthorized_client"]);
