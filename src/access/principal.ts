/** The issuer of people that an administrator named, instead of an identity provider. */
export const LOCAL_ISSUER = "local";

/** The limits of a token. It has the person's rights within these limits. */
export interface TokenScopes {
  /** Only these servers. */
  readonly servers?: readonly string[];
  /** Only the tools in these bundles. */
  readonly bundles?: readonly string[];
  /** Only tools that a trusted server declares as read-only. */
  readonly readOnly?: boolean;
}

/** The person behind a request, and the token that proves it. */
export interface Principal {
  /** Identifies the person in all stores. The same for all tokens of a person. */
  readonly id: string;
  /** The names that rules can use for the person. */
  readonly names: readonly string[];
  /** The name to display. */
  readonly name: string;
  readonly groups: readonly string[];
  readonly token: PrincipalToken;
  readonly scopes: TokenScopes;
}

/** The token of a request. */
export interface PrincipalToken {
  /** Identifies the token in the audit log. It is not the token itself. */
  readonly id: string;
  /** The name that was given to a static token. */
  readonly name?: string;
  /** The SHA-256 of a static token. */
  readonly hash?: string;
  /** When it expires (ms since 1970). */
  readonly expiresAt: number;
  /** The OAuth scopes. A static token has none. */
  readonly granted: readonly string[];
}

/** Returns a text that is equal for two tokens of one person with the same rights. */
export function rightsKey({ scopes, token: { granted } }: Pick<Principal, "scopes" | "token">): string {
  const { servers, bundles, readOnly = false } = scopes;
  return JSON.stringify([sorted(servers), sorted(bundles), readOnly, sorted(granted)]);
}

function sorted(list: readonly string[] | undefined): readonly string[] | null {
  return list === undefined ? null : list.toSorted();
}
