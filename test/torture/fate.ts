/** Which call fails, and whether the failure is permanent. */
export interface Fault {
  /** The number of the call, starting at 1. With 0, nothing fails. */
  readonly at: number;
  /**
   * Only calls with outside effects are counted. From this one on, all of its kind fail, as with a full disk or a dead
   * network.
   */
  readonly lasting: boolean;
}

/** The number of outside calls, and of those that can fail permanently. */
export interface Calls {
  readonly all: number;
  readonly lasting: number;
}

/** Called by a port before each of its calls. */
export interface Fate {
  /** Returns whether this call fails. `what` names the call, and `kind` what else fails if the failure is permanent. */
  isDue(what: string, kind?: string): boolean;
  /** Returns the same choice for the same call, and another one for the next. */
  pick<T>(choices: readonly [T, ...T[]]): T;
}

/** The system's error codes. */
export function failure(code: string, what: string): Error & { readonly code: string } {
  return Object.assign(new Error(`${code}: made to fail, ${what}`), { code });
}
