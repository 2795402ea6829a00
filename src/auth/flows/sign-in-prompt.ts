/** What to show to the user who signs in. */
export interface SignInPrompt {
  /** The server to sign in to. */
  readonly server: string;
  /** The person who signs in. Absent for the host's own user. */
  readonly principal?: string;
  /** The page on which the person signs in. */
  readonly url: string;
  /** The code to enter on the page, if the browser is on another device. */
  readonly userCode?: string;
  /** Whether a browser was opened at the URL. */
  readonly opened: boolean;
  /** Aborts when the prompt is no longer needed: the sign-in completed another way, or timed out. */
  readonly signal: AbortSignal;
}

/**
 * Shows the prompt. If the browser cannot reach this machine, returns the final URL of the browser or the code in it. Throwing
 * ends the sign-in.
 */
export type ShowSignIn = (url: string, prompt: SignInPrompt) => unknown;

export interface SignInOptions {
  readonly account?: string | undefined;
  /** Open a browser on this machine. */
  readonly browser: boolean;
  /** Sign in on another device with a code, if the authorization server supports it. */
  readonly device?: boolean | undefined;
  readonly show: ShowSignIn | undefined;
  /** Where the browser is redirected. This program gets the final URL in another way: `show` returns it. */
  readonly redirectUri?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
