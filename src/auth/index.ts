/** Challenge → credentials: OAuth 2.1, and what it leaves behind. Loaded when a server asks for it, or a person signs in. */
export type { Auth, SignInView } from "./auth.lazy.ts";
export type { AuthContext, AuthSubject, EntryOwner } from "./auth-subject.ts";
export type { ShowSignIn, SignInPrompt } from "./flows/sign-in-prompt.ts";
export { readOauthSettings, signInOrigins } from "./oauth-settings.ts";
export type { OAuthProvider } from "./provider/oauth-provider.ts";

import type { Auth } from "./auth.lazy.ts";
import type { AuthContext } from "./auth-subject.ts";
import type { Callback, openCallback as open } from "./flows/callback.lazy.ts";

/** Listens for the browser on this machine. */
export async function openCallback(...options: Parameters<typeof open>): Promise<Callback> {
  return (await import("./flows/callback.lazy.ts")).openCallback(...options);
}

/** Made once per host, at the first remote server. */
export async function createAuth(context: AuthContext): Promise<Auth> {
  const { Auth } = await import("./auth.lazy.ts");
  return new Auth(context);
}
