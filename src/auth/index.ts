/** OAuth 2.1: turns a server's challenge into credentials. Loaded when a server requires it or the user signs in. */
export type { Auth, SignInView } from "./auth.lazy.ts";
export type { AuthContext, AuthSubject, EntryOwner } from "./auth-subject.ts";
export type { ShowSignIn, SignInOptions, SignInPrompt } from "./flows/sign-in-prompt.ts";
export { readOauthSettings, signInOrigins } from "./oauth-settings.ts";
export type { OidcLogin } from "./oidc/oidc-login.lazy.ts";
export type { OAuthProvider } from "./provider/oauth-provider.ts";

import type { Auth } from "./auth.lazy.ts";
import type { AuthContext } from "./auth-subject.ts";
import type { Callback, openCallback as open } from "./flows/callback.lazy.ts";
import type { AddressClass } from "./guard/address-class.ts";
import type { createGuardedFetch as guardedFetch } from "./guard/create-guard.lazy.ts";
import type { OidcLogin as Login } from "./oidc/oidc-login.lazy.ts";

/** Loads the function that tells public addresses from private, loopback and reserved ones. */
export async function loadAddressClass(): Promise<(address: string) => AddressClass> {
  return (await import("./guard/address-check.lazy.ts")).addressClass;
}

/** Loads what signs people in with OpenID Connect. */
export async function loadOidcLogin(...options: ConstructorParameters<typeof Login>): Promise<Login> {
  const { OidcLogin } = await import("./oidc/oidc-login.lazy.ts");
  return new OidcLogin(...options);
}

/** Loads the `fetch` for URLs that an authorization server chooses. They may only lead to the public network or its own network. */
export async function loadGuardedFetch(
  ...options: Parameters<typeof guardedFetch>
): Promise<ReturnType<typeof guardedFetch>> {
  return (await import("./guard/create-guard.lazy.ts")).createGuardedFetch(...options);
}

/** Opens a local HTTP listener that receives the browser's redirect. */
export async function openCallback(...options: Parameters<typeof open>): Promise<Callback> {
  return (await import("./flows/callback.lazy.ts")).openCallback(...options);
}

/** Creates the auth module. Called once per host, when the first remote server is used. */
export async function createAuth(context: AuthContext): Promise<Auth> {
  const { Auth } = await import("./auth.lazy.ts");
  return new Auth(context);
}
