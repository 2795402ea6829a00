/** An identity provider that only publishes its key. Tokens for it are signed here. */
import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";

const LIFETIME_S = 3_600;

/** Returns the issuer, a function that signs a token, and how to end it. */
export async function startIdentity() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: "1", alg: "ES256", use: "sig" };
  const server = createServer((request, response) => {
    const issuer = `http://127.0.0.1:${server.address().port}`;
    const isKeys = request.url === "/keys";
    const document = isKeys ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/keys` };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${server.address().port}`;
  return {
    issuer,
    tokenFor(name, audience) {
      const now = Math.floor(Date.now() / 1_000);
      const claims = {
        iss: issuer,
        sub: name,
        aud: audience,
        iat: now,
        exp: now + LIFETIME_S,
        groups: ["staff"],
      };
      const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const text = `${part({ alg: "ES256", typ: "at+jwt", kid: "1" })}.${part(claims)}`;
      const signature = sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
      return `${text}.${signature.toString("base64url")}`;
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
