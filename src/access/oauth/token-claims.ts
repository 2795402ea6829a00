import { isList, itemsOf, type JsonObject, type JsonValue } from "../../model/index.ts";
import { type OAuthAccess, type TokenClaims, TokenRefusal } from "./oauth-access.ts";

/** How much the clocks of the gateway and the identity provider may differ. */
const CLOCK_SKEW_S = 60;
const LONGEST_TEXT = 256;
const MOST_GROUPS = 1_000;

/** Members that only ID tokens have. An ID token tells a program who signed in; it does not allow anything. */
const OF_ID_TOKENS = ["nonce", "at_hash", "c_hash", "s_hash"];

/** Checks the claims of a token whose signature was verified, or of an introspection. Throws a `TokenRefusal`. */
export function checkClaims(
  claims: JsonObject,
  access: OAuthAccess,
  resource: string,
  nowMs: number,
): TokenClaims {
  const now = nowMs / 1_000;
  const { iss, sub, aud, exp, nbf, iat, email, email_verified: isVerified, jti } = claims;
  if (iss !== access.issuer) throw new TokenRefusal("its issuer is not the configured one");
  const audiences = typeof aud === "string" ? [aud] : itemsOf(aud);
  const accepted = [resource, ...(access.audience === undefined ? [] : [access.audience])];
  if (!audiences.some((one) => typeof one === "string" && accepted.includes(one)))
    throw new TokenRefusal("it is for another audience");
  if (!isTime(exp)) throw new TokenRefusal("it does not expire");
  if (exp + CLOCK_SKEW_S <= now) throw new TokenRefusal("it has expired");
  for (const [name, time] of Object.entries({ nbf, iat })) {
    if (time === undefined) continue;
    if (!isTime(time)) throw new TokenRefusal(`its "${name}" is not a time`);
    if (time - CLOCK_SKEW_S > now) throw new TokenRefusal(`its "${name}" is in the future`);
  }
  const isIdToken = OF_ID_TOKENS.some((name) => Object.hasOwn(claims, name)) || kindOf(claims) === "id";
  if (isIdToken) throw new TokenRefusal("it is an ID token, not an access token");
  // The sender of such a token must prove possession of the key, which a bearer token does not.
  if (claims["cnf"] !== undefined) throw new TokenRefusal("it is bound to a key");
  if (!isName(sub)) throw new TokenRefusal("it does not name a person");
  const name = claims[access.nameClaim] ?? sub;
  if (!isName(name)) throw new TokenRefusal(`its "${access.nameClaim}" is not a name`);
  return {
    issuer: access.issuer,
    subject: sub,
    name,
    ...(isName(email) && isVerified !== false && { email }),
    groups: textsIn(claims[access.groupsClaim]),
    scopes: textsIn(claims["scope"] ?? claims["scp"]),
    expiresAt: (exp + CLOCK_SKEW_S) * 1_000,
    ...(isName(jti) && { id: jti }),
  };
}

/** Identity providers mark ID tokens in their own ways. */
function kindOf({ typ, token_use: use }: JsonObject): string | undefined {
  const kind = use ?? typ;
  return typeof kind === "string" ? kind.toLowerCase() : undefined;
}

function isTime(value: JsonValue | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 && value < 1e11;
}

function isName(value: JsonValue | undefined): value is string {
  return (
    typeof value === "string" &&
    value !== "" &&
    value.length <= LONGEST_TEXT &&
    !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(value)
  );
}

/** A list of texts, or one text with spaces, as scopes are written. */
function textsIn(value: JsonValue | undefined): readonly string[] {
  const items = typeof value === "string" ? value.split(" ") : isList(value) ? value : [];
  return items.filter(isName).slice(0, MOST_GROUPS);
}
