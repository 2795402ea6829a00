import * as oauth from "oauth4webapi";
import { HostError, ToolAbortError } from "../../model/index.ts";
import { delay, elapsed } from "../../platform/index.ts";
import { oauthErrorCode } from "../auth-error.lazy.ts";
import type { OauthClient } from "../credentials/credential.ts";
import { configuredClient } from "../discovery/register-client.ts";
import { Refusal, UnreachableError } from "../refusal.ts";
import { clientAuth, requestOptions, toClient, toTokens, withoutIdToken } from "../token-request.ts";
import type { Flow, SignedIn } from "./code-flow.ts";

/** A registration requires a redirect URI, but the device flow does not use it. */
const UNUSED_REDIRECT = "http://127.0.0.1/callback";
const LONGEST_MS = 15 * 60_000;

/** Signs in on another device, where the user enters a code (RFC 8628). */
export async function signInWithDevice(flow: Flow): Promise<SignedIn> {
  const { ports, guard, plan, scope, options, server } = flow;
  const { as, resource } = plan;
  if (as.device_authorization_endpoint === undefined)
    throw new Refusal("the authorization server does not support device sign-in");
  const client = await clientFor(flow);
  const wanted = { ...(scope !== undefined && { scope }), ...(resource !== undefined && { resource }) };
  const common = requestOptions(guard, options.signal);
  const auth = clientAuth(as, client);
  const begun = await oauth.processDeviceAuthorizationResponse(
    as,
    toClient(client),
    await oauth.deviceAuthorizationRequest(as, toClient(client), auth, wanted, common),
  );
  const page = begun.verification_uri_complete ?? begun.verification_uri;
  const url = guard.check(page, "the sign-in page");
  guard.show(url);
  const opened = options.browser && (await ports.browser.open(url));
  const over = new AbortController();
  const prompt = { server, url: url.href, userCode: begun.user_code, opened, signal: over.signal };
  // There is nothing to paste, but a rejected prompt cancels the sign-in.
  const shown = Promise.resolve(options.show?.(url.href, prompt)).then(() => new Promise<never>(() => {}));
  shown.catch(() => {});

  const { signal } = options;
  const stop = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  const end = elapsed(ports.clock) + Math.min(begun.expires_in * 1000, LONGEST_MS);
  for (let pauseMs = (begun.interval ?? 5) * 1000; elapsed(ports.clock) < end; ) {
    try {
      await Promise.race([delay(ports.clock, Math.min(pauseMs, 60_000), stop), shown]);
      if (signal?.aborted) throw new ToolAbortError("The sign-in was cancelled.", { cause: signal.reason });
      const asked = ports.clock.now();
      const response = await oauth.deviceCodeGrantRequest(as, toClient(client), auth, begun.device_code, {
        ...common,
        ...(resource !== undefined && { additionalParameters: { resource } }),
      });
      const answer = await oauth.processDeviceCodeResponse(
        as,
        toClient(client),
        await withoutIdToken(response),
      );
      over.abort();
      return { client, tokens: toTokens(answer, asked, scope) };
    } catch (error) {
      const code = oauthErrorCode(error);
      if (code === "slow_down") pauseMs += 5_000;
      else if (error instanceof UnreachableError) pauseMs *= 2;
      else if (code !== "authorization_pending") {
        over.abort();
        throw error;
      }
    }
  }
  over.abort();
  throw new HostError("AUTH_TIMEOUT", "OAuth flow timed out. Please try again.", { server });
}

async function clientFor(flow: Flow): Promise<OauthClient> {
  const { guard, plan, registrations, ports } = flow;
  const question = { ...flow, as: plan.as };
  return (
    configuredClient(question) ??
    (await registrations.find(plan.as.issuer, ports.clock.now())) ??
    registrations.register(guard, question, UNUSED_REDIRECT)
  );
}
