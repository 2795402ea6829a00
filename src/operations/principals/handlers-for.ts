import type { OAuthProvider } from "../../auth/index.ts";
import type { InteractionOptions } from "../people.ts";

/** Returns handlers that also receive the principal, so that a program asks the right person. */
export function handlersFor(given: InteractionOptions, principal: string | undefined): InteractionOptions {
  if (principal === undefined) return given;
  const { onApproval, onInput, onCall, onSandboxDenied, onSignIn, onElicitation, onSampling } = given;
  return {
    ...given,
    ...(onApproval && { onApproval: (request) => onApproval({ ...request, principal }) }),
    ...(onInput && { onInput: (request) => onInput({ ...request, principal }) }),
    ...(onCall && { onCall: (request, context) => onCall({ ...request, principal }, context) }),
    ...(onSandboxDenied && { onSandboxDenied: (request) => onSandboxDenied({ ...request, principal }) }),
    ...(onSignIn && { onSignIn: (url, prompt) => onSignIn(url, { ...prompt, principal }) }),
    ...(onElicitation && {
      onElicitation: (request, context) => onElicitation({ ...request, principal }, context),
    }),
    ...(onSampling && { onSampling: (request, context) => onSampling({ ...request, principal }, context) }),
  };
}

/** An OAuth provider, or a function that returns the provider of a principal. */
export type GivenProvider = OAuthProvider | ((principal: string | undefined) => OAuthProvider);

/**
 * Returns a function that finds the providers of one principal. A provider object has the tokens of one person, so it is never used for
 * a principal.
 */
export function providersFor(
  given: Readonly<Record<string, GivenProvider>>,
  principal: string | undefined,
): (id: string) => OAuthProvider | undefined {
  const created = new Map<string, OAuthProvider>();
  return (id) => {
    const provider = Object.hasOwn(given, id) ? given[id] : undefined;
    if (typeof provider !== "function") return principal === undefined ? provider : undefined;
    const own = created.get(id) ?? provider(principal);
    created.set(id, own);
    return own;
  };
}
