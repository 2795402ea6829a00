import { createHash, webcrypto } from "node:crypto";
import { expect, test } from "vitest";
import { createDpopKey, dpopHandle, dpopProof } from "./dpop.lazy.ts";

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
  expect(read(header)).toStrictEqual({
    alg: "ES256",
    typ: "dpop+jwt",
    jwk: { kty: "EC", crv: "P-256", x: key["x"], y: key["y"] }, // and no private part
  });
  expect(read(payload)).toStrictEqual({
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

test("a proof has a nonce only if the server asked for one", async () => {
  const facts = { method: "GET", url: new URL("https://a.example/"), accessToken: "t", now: 1 };
  const proof = await dpopProof(await createDpopKey(), { ...facts, nonce: undefined });
  const payload = Buffer.from(proof.split(".")[1] ?? "", "base64url").toString();
  expect(JSON.parse(payload)).not.toHaveProperty("nonce");
});

test("a stored key can be used again", async () => {
  const key = await createDpopKey();
  expect(key).toMatchObject({ kty: "EC", crv: "P-256", d: expect.any(String), key_ops: ["sign"] });
  const [one, two] = await Promise.all([dpopHandle(key), dpopHandle(JSON.parse(JSON.stringify(key)))]);
  expect(await one?.calculateThumbprint()).toBe(await two?.calculateThumbprint());
});

test.each(["kty", "crv", "x", "y"])("a key without %s is not used", async (part) => {
  const { [part]: _, ...rest } = await createDpopKey();
  await expect(dpopHandle(rest)).rejects.toThrow();
});
