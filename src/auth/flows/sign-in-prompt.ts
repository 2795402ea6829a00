/** What a person is shown to sign in. */
export interface SignInPrompt {
  readonly server: string;
  readonly url: string;
  /** To be typed there, where the browser is on another machine. */
  readonly userCode?: string;
  /** A browser was opened at the URL. */
  readonly opened: boolean;
  /** Fires when the answer is no longer waited for: it came another way, or too late. */
  readonly signal: AbortSignal;
}

/**
 * Shows it. May answer the address the browser ended at, or the code in it, where that cannot reach this machine. Throwing ends
 * the sign-in.
 */
export type ShowSignIn = (url: string, prompt: SignInPrompt) => unknown;

export interface SignInOptions {
  readonly account?: string | undefined;
  /** Open a browser here. */
  readonly browser: boolean;
  /** By a code that is typed on another machine, where the authorization server offers that. */
  readonly device?: boolean | undefined;
  readonly show: ShowSignIn | undefined;
  readonly signal?: AbortSignal | undefined;
}
