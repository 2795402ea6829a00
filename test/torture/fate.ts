/** Which call fails, and whether what fails stays broken. */
export interface Fault {
  /** The number of the call, from 1; with 0 nothing fails. */
  readonly at: number;
  /** Only calls that change something outside are counted, and from that one on all of its kind fail: a full disk, a dead network. */
  readonly lasting: boolean;
}

/** How often anything outside was asked for something, and how often for something that can fail for good. */
export interface Calls {
  readonly all: number;
  readonly lasting: number;
}

/** What a port asks before each of its calls. */
export interface Fate {
  /** Whether this call fails. `what` says which one it is, `kind` what else fails when the fault lasts. */
  isDue(what: string, kind?: string): boolean;
  /** The same choice for the same call, and another one for the next. */
  pick<T>(choices: readonly [T, ...T[]]): T;
}

/** What the system says when it cannot. */
export function failure(code: string, what: string): Error & { readonly code: string } {
  return Object.assign(new Error(`${code}: made to fail, ${what}`), { code });
}
