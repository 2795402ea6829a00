import { createPublicKey, type JsonWebKey, type KeyObject, verify } from "node:crypto";
import { isJsonObject, isList, type JsonObject } from "../../model/index.ts";
import { TokenRefusal } from "./oauth-access.ts";

const LONGEST = 16 * 1024;
const LONGEST_KID = 256;
const SMALLEST_RSA_BITS = 2_048;

/** How each algorithm verifies. Symmetric algorithms and `none` are not here, so no setting can allow them. */
interface Algorithm {
  readonly type: string;
  readonly hash: string | null;
  readonly curve?: string;
  readonly padding?: number;
}

const PKCS1 = 1;
const PSS = 6;
const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  RS256: { type: "rsa", hash: "sha256", padding: PKCS1 },
  RS384: { type: "rsa", hash: "sha384", padding: PKCS1 },
  RS512: { type: "rsa", hash: "sha512", padding: PKCS1 },
  PS256: { type: "rsa", hash: "sha256", padding: PSS },
  PS384: { type: "rsa", hash: "sha384", padding: PSS },
  PS512: { type: "rsa", hash: "sha512", padding: PSS },
  ES256: { type: "ec", hash: "sha256", curve: "prime256v1" },
  ES384: { type: "ec", hash: "sha384", curve: "secp384r1" },
  ES512: { type: "ec", hash: "sha512", curve: "secp521r1" },
  EdDSA: { type: "ed25519", hash: null },
};

/** Members of a header that tell the reader where to find a key, or how else to read the token. None is ever followed. */
const REFUSED_MEMBERS = ["jku", "jwk", "x5u", "crit", "zip", "b64", "enc"];
const TYPES: ReadonlySet<string> = new Set(["at+jwt", "application/at+jwt", "jwt"]);

/** A key of the identity provider. */
export interface ProviderKey {
  readonly kid: string | undefined;
  readonly algorithm: string | undefined;
  readonly key: KeyObject;
}

/** A JWT that was taken apart. Its contents are not trusted yet. */
export interface ParsedJwt {
  readonly algorithm: string;
  readonly kid: string | undefined;
  readonly claims: JsonObject;
  readonly signed: string;
  readonly signature: Buffer;
}

/** Takes a JWT apart and checks its header. Throws a `TokenRefusal`. */
export function parseJwt(text: string, allowed: readonly string[]): ParsedJwt {
  const parts = text.split(".");
  const [header = "", payload = "", signature = ""] = parts;
  if (text.length > LONGEST || parts.length !== 3) throw new TokenRefusal("it is not a JWT");
  const { alg, typ, kid, ...others } = jsonIn(header);
  if (typeof alg !== "string" || !allowed.includes(alg) || !Object.hasOwn(ALGORITHMS, alg))
    throw new TokenRefusal("its algorithm is not allowed");
  if (typeof typ !== "string" || !TYPES.has(typ.toLowerCase())) throw new TokenRefusal("its type is wrong");
  if (kid !== undefined && (typeof kid !== "string" || kid.length > LONGEST_KID))
    throw new TokenRefusal("its key id is not a short text");
  const refused = REFUSED_MEMBERS.find((name) => Object.hasOwn(others, name));
  if (refused !== undefined) throw new TokenRefusal(`its header has "${refused}"`);
  return {
    algorithm: alg,
    kid,
    claims: jsonIn(payload),
    signed: `${header}.${payload}`,
    signature: bytesIn(signature),
  };
}

/** Returns the one key that can have signed a token. Throws if there is none: it may be new. */
export function findKey(
  keys: readonly ProviderKey[],
  { kid, algorithm }: ParsedJwt,
): ProviderKey | undefined {
  const usable = keys.filter((key) => fits(key, algorithm) && (kid === undefined || key.kid === kid));
  return usable.length === 1 ? usable[0] : undefined;
}

/** Returns whether the signature is right. */
export function isSignedBy({ key }: ProviderKey, { algorithm, signed, signature }: ParsedJwt): boolean {
  const rule = ALGORITHMS[algorithm];
  if (rule === undefined || signature.length === 0) return false;
  try {
    return verify(
      rule.hash,
      Buffer.from(signed),
      {
        key,
        dsaEncoding: "ieee-p1363",
        ...(rule.padding !== undefined && { padding: rule.padding }),
        ...(rule.padding === PSS && { saltLength: -1 }), // the length of the digest
      },
      signature,
    );
  } catch {
    return false;
  }
}

/** Reads the public signature keys of a JWKS. Others, such as symmetric ones, are skipped. */
export function keysIn(document: unknown): readonly ProviderKey[] {
  const { keys } = isJsonObject(document) ? document : {};
  return (isList(keys) ? keys : []).flatMap((jwk) => {
    if (!isJsonObject(jwk) || jwk["kty"] === "oct" || jwk["d"] !== undefined) return [];
    const { use, key_ops: operations, kid, alg } = jwk;
    if (use !== undefined && use !== "sig") return [];
    if (isList(operations) && !operations.includes("verify")) return [];
    try {
      const key = createPublicKey({ key: jwk as JsonWebKey, format: "jwk" });
      const algorithm = typeof alg === "string" ? alg : undefined;
      return [{ kid: typeof kid === "string" ? kid : undefined, algorithm, key }];
    } catch {
      return [];
    }
  });
}

/** A key for one algorithm is never used for another one. */
function fits({ key, algorithm }: ProviderKey, wanted: string): boolean {
  const rule = ALGORITHMS[wanted];
  const { asymmetricKeyType: type, asymmetricKeyDetails: details = {} } = key;
  if (rule === undefined || type !== rule.type) return false;
  if (algorithm !== undefined && algorithm !== wanted) return false;
  if (rule.curve !== undefined && details.namedCurve !== rule.curve) return false;
  return rule.type !== "rsa" || (details.modulusLength ?? 0) >= SMALLEST_RSA_BITS;
}

function jsonIn(part: string): JsonObject {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytesIn(part));
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // refused below
  }
  throw new TokenRefusal("a part of it is not JSON");
}

/** Decodes strictly: another text for the same bytes is refused. */
function bytesIn(part: string): Buffer {
  const bytes = Buffer.from(part, "base64url");
  if (bytes.toString("base64url") !== part) throw new TokenRefusal("a part of it is not Base64url");
  return bytes;
}
