import * as oauth from "oauth4webapi";
import { HostError, isHostError, ToolAbortError } from "../../model/index.ts";
import type { Ports } from "../../platform/index.ts";
import { oauthErrorCode, toAuthError } from "../auth-error.lazy.ts";
import type { OauthClient } from "../credentials/credential.ts";
import { requirePkce } from "../discovery/discover-server.ts";
import type { SignInPlan } from "../discovery/plan-sign-in.ts";
import { clientRequired, configuredClient, type Registrations } from "../discovery/register-client.ts";
import type { Guard } from "../guard/guarded-fetch.ts";
import type { OauthSettings } from "../oauth-settings.ts";
import { Refusal } from "../refusal.ts";
import { clientAuth, type Tokens } from "../token-request.ts";
import { authorizationUrl, exchangeCode, parsePastedResponse } from "./authorization-code.ts";
import { type Callback, type CallbackAnswer, openCallback } from "./callback.lazy.ts";
import type { SignInOptions } from "./sign-in-prompt.ts";

const LONGEST_MS = 5 * 60_000;

/** One sign-in in progress. */
export interface Flow {
  readonly ports: Ports;
  readonly guard: Guard;
  readonly server: string;
  readonly settings: OauthSettings;
  readonly plan: SignInPlan;
  readonly scope: string | undefined;
  readonly registrations: Registrations;
  readonly options: SignInOptions;
  readonly dpop?: oauth.DPoPHandle | undefined;
  /** Adds a secret to the redactor, because servers may repeat a request in their errors. */
  readonly hide?: (secret: string) => void;
}

export interface SignedIn {
  readonly client: OauthClient;
  readonly tokens: Tokens;
}

/** Signs in with the browser and an authorization code. If the server rejects a stored registration, registers once more. */
export async function signInWithCode(flow: Flow): Promise<SignedIn> {
  const { plan, settings, registrations, ports } = flow;
  const { as } = plan;
  requirePkce(as, settings.allowNoPkce === true);
  const isGiven = configuredClient({ ...flow, as }) !== undefined;
  const known = isGiven ? undefined : await registrations.find(as.issuer, ports.clock.now());
  try {
    return await attempt(flow);
  } catch (error) {
    const isDead = ["invalid_client", "unauthorized_client"].includes(oauthErrorCode(error) ?? "");
    // The sign-in page may have rejected the client without telling this program.
    const isUnanswered = isHostError(error, "AUTH_TIMEOUT") || error instanceof ToolAbortError;
    if (known !== undefined && (isDead || isUnanswered))
      await registrations.forget(as.issuer, known.clientId);
    if (known === undefined || !isDead) throw error;
    return attempt(flow);
  }
}

async function attempt(flow: Flow): Promise<SignedIn> {
  const { callback, client } = await prepare(flow);
  try {
    return await authorize(flow, callback, client);
  } finally {
    await callback.close();
  }
}

/** Opens the callback before registering, because the registration contains its URL. A stored registration needs its port. */
async function prepare(flow: Flow): Promise<{ callback: Callback; client: OauthClient }> {
  const { ports, guard, settings, plan, registrations, options } = flow;
  const { callbackPort: port } = settings;
  const { redirectUri = settings.redirectUri } = options;
  if (redirectUri !== undefined && !URL.canParse(redirectUri)) throw new Refusal("redirectUri is not a URL");
  const question = { ...flow, as: plan.as };
  const given = configuredClient(question);
  const open = (wanted: Parameters<typeof openCallback>[1]): Promise<Callback> =>
    isOnAnotherMachine(redirectUri) || (redirectUri !== undefined && options.redirectUri === redirectUri)
      ? elsewhere(redirectUri)
      : openCallback(ports.loopback, wanted);
  if (given !== undefined) return { callback: await open({ port, redirectUri }), client: given };
  if (plan.as.registration_endpoint === undefined)
    throw clientRequired(question, redirectUri ?? `http://127.0.0.1:${port ?? "<port>"}/callback`);
  const known = await registrations.find(plan.as.issuer, ports.clock.now());
  const isFixed = port !== undefined || redirectUri !== undefined;
  const again = known && !isFixed && (await open({ redirectUri: known.redirectUri }).catch(() => undefined));
  const callback = again || (await open({ port, redirectUri }));
  try {
    if (known?.redirectUri === callback.redirectUri) return { callback, client: known };
    return { callback, client: await registrations.register(guard, question, callback.redirectUri) };
  } catch (error) {
    await callback.close();
    throw error;
  }
}

function isOnAnotherMachine(redirectUri: string | undefined): redirectUri is string {
  return redirectUri !== undefined && !/^http:\/\/(?:127\.0\.0\.1|localhost)(?:[:/]|$)/.test(redirectUri);
}

/** Stands in for a redirect URI on another machine: the user has to paste the response. */
async function elsewhere(redirectUri: string): Promise<Callback> {
  return { redirectUri, answered: () => new Promise(() => {}), close: async () => {} };
}

async function authorize(flow: Flow, callback: Callback, client: OauthClient): Promise<SignedIn> {
  const { guard, plan, scope, options, ports, server, dpop } = flow;
  const { redirectUri } = callback;
  const auth = clientAuth(plan.as, client);
  const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
  flow.hide?.(verifier);
  const { signal } = options;
  const request = { guard, plan, client, auth, redirectUri, scope, state, verifier, dpop, signal };
  const url = await authorizationUrl(request);

  const redirected = callback.answered(state);
  const opened = options.browser && (await ports.browser.open(url));
  if (!opened && options.show === undefined)
    throw new Refusal("a browser could not be opened, and this program cannot show you the URL");
  const over = new AbortController();
  const prompt = { server, url: url.href, opened, signal: over.signal };
  const pasted = Promise.resolve(options.show?.(url.href, prompt)).then((text) =>
    typeof text === "string" && text.trim() !== ""
      ? { parameters: parsePastedResponse(text, request), say: () => {} }
      : new Promise<never>(() => {}),
  );
  pasted.catch(() => {}); // it may fail after the sign-in has ended
  const { parameters, say } = await within<CallbackAnswer>(ports, signal, [redirected, pasted]).finally(() =>
    over.abort(),
  );
  flow.hide?.(parameters.get("code") ?? "");
  try {
    const tokens = await exchangeCode(request, parameters, ports.clock.now());
    say();
    return { client, tokens };
  } catch (error) {
    say(toAuthError(server, error).message);
    throw error;
  }
}

function within<T>(
  { clock }: Ports,
  signal: AbortSignal | undefined,
  answers: readonly Promise<T>[],
): Promise<T> {
  let stop = (): void => {};
  const late = new Promise<never>((_, reject) => {
    const stopTimer = clock.after(LONGEST_MS, () =>
      reject(new HostError("AUTH_TIMEOUT", "OAuth flow timed out. Please try again.")),
    );
    const abort = (): void =>
      reject(new ToolAbortError("The sign-in was cancelled.", { cause: signal?.reason }));
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    stop = () => {
      stopTimer();
      signal?.removeEventListener("abort", abort);
    };
  });
  return Promise.race([...answers, late]).finally(stop);
}
