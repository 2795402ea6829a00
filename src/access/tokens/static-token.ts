import { HostError, itemsOf, type JsonValue } from "../../model/index.ts";
import type { AccessToken, TokenStore } from "../../store/index.ts";
import type { TokenScopes } from "../principal.ts";
import { createTokenText, tokenHash } from "./token-text.ts";

const DAY_MS = 86_400_000;
/** The longest time for which a token is valid. */
export const LONGEST_LIFETIME_MS: number = 365 * DAY_MS;
const LONGEST_NAME = 64;

/** The data of a new token. */
export interface NewToken {
  /** The id of its person. */
  readonly person: string;
  readonly name: string;
  readonly scopes: TokenScopes;
  readonly lifetimeMs: number;
}

/** Creates a token. Its text is returned only here. Rejects if the name is unusable or the token would be valid for too long. */
export async function createToken(
  tokens: Pick<TokenStore, "create">,
  { person, name, scopes, lifetimeMs }: NewToken,
  now: number,
): Promise<{ readonly text: string; readonly token: AccessToken }> {
  if (!(lifetimeMs > 0 && lifetimeMs <= LONGEST_LIFETIME_MS))
    throw new HostError("USAGE_INVALID", "A token must expire, within at most 365 days.");
  if (name === "" || name.length > LONGEST_NAME || /[\p{Cc}\p{Cf}\p{Cs}]/u.test(name))
    throw new HostError(
      "USAGE_INVALID",
      `A token's name must be a text of 1 to ${LONGEST_NAME} characters without control characters.`,
    );
  const text = createTokenText();
  const facts = { person, name, scopes: { ...scopes }, expiresAt: now + lifetimeMs };
  return { text, token: await tokens.create(facts, tokenHash(text)) };
}

/** Reads a lifetime such as `90d`, `12h` or `30m`, in milliseconds. */
export function parseLifetime(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,6})([dhm])$/.exec(text) ?? [];
  const units: Readonly<Record<string, number>> = { d: DAY_MS, h: 3_600_000, m: 60_000 };
  return count === undefined ? undefined : Number(count) * (units[unit] ?? 0);
}

/** Returns the scopes of a stored token. If this version does not understand one of them, the token allows nothing. */
export function scopesOf({ scopes }: Pick<AccessToken, "scopes">): TokenScopes {
  const { servers, bundles, readOnly, ...others } = scopes;
  const texts = (value: JsonValue | undefined): readonly string[] | undefined =>
    value === undefined ? undefined : itemsOf(value).filter((item) => typeof item === "string");
  const isKnown = Object.keys(others).length === 0;
  const [onlyServers, onlyBundles] = [isKnown ? texts(servers) : [], texts(bundles)];
  return {
    ...(onlyServers !== undefined && { servers: onlyServers }),
    ...(onlyBundles !== undefined && { bundles: onlyBundles }),
    ...(readOnly !== undefined && readOnly !== false && { readOnly: true }),
  };
}
