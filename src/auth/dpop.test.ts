import { createHash, webcrypto } from "node:crypto";
import { expect, test } from "vitest";
import { createDpopKey, dpopProof } from "./dpop.ts";

test("a proof is signed by the key it shows, for one request, one token and one nonce", async () => {
  const key = await createDpopKey();
  const facts = {
    method: "POST",
    url: new URL("https://mcp.example.com/mcp?session=1#x"),
    accessToken: "token",
    nonce: "n-1",
    now: 1_700_000_000.7,
  };
  const proof = await dpopProof(key, facts);
  const [header = "", payload = "", signature = ""] = proof.split(".");
  const read = (part: string) =>
    JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
  expect(read(header)).toEqual({
    alg: "ES256",
    typ: "dpop+jwt",
    jwk: { kty: "EC", crv: "P-256", x: key["x"], y: key["y"] }, // and no private part
  });
  expect(read(payload)).toEqual({
    jti: expect.any(String),
    htm: "POST",
    htu: "https://mcp.example.com/mcp",
    iat: 1_700_000_000,
    ath: createHash("sha256").update("token").digest("base64url"),
    nonce: "n-1",
  });
  const { jwk } = read(header) as { jwk: webcrypto.JsonWebKey };
  const curve = { name: "ECDSA", namedCurve: "P-256" };
  const verifier = await webcrypto.subtle.importKey("jwk", jwk, curve, false, ["verify"]);
  const isRight = await webcrypto.subtle.verify(
    { name: "ECDSA", hash: "SHA-256" },
    verifier,
    Buffer.from(signature, "base64url"),
    Buffer.from(`${header}.${payload}`),
  );
  expect(isRight).toBe(true);
  expect(await dpopProof(key, facts)).not.toBe(proof);
});
