import { expect, test } from "vitest";
import { failureOf, hostIn } from "../flow/host-in.ts";
import { browse } from "../support/oauth-server.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startHostileServer } from "./hostile-server.ts";

const SECRET = { clientId: "known", clientSecret: "s3cret-of-the-client" };

/** A server that signs in at its own authorization server until it moves to that of somebody else. */
async function startMovingServer() {
  const other = await startHostileServer({});
  let isMoved = false;
  const server = await startHostileServer({
    resource: (document, base) => ({ ...document, authorization_servers: [isMoved ? other.base : base] }),
  });
  return {
    server,
    other,
    move: () => {
      isMoved = true;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([server, other].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}

test.each([
  ["a secret", { ...SECRET, grantType: "client_credentials" }],
  ["an assertion", { clientId: "known", assertion: "signed-assertion" }],
  ["a secret, after a person signed in", SECRET],
])("a server that moves to another authorization server does not get %s", async (_, oauth) => {
  await using sandbox = await createSandbox();
  await using place = await startMovingServer();
  const { server, other, move } = place;
  await using host = await hostIn(sandbox, { servers: { notes: { url: server.url, oauth } } });
  const signIn = () =>
    host.signIns.login("notes", { browser: false, onSignIn: (url) => void browse(url).catch(() => {}) });
  await signIn();
  move();
  const refused = { code: "AUTH_FAILED", message: expect.stringContaining("belongs to") };
  expect(await failureOf(signIn())).toMatchObject(refused);
  if (oauth !== SECRET) expect(await failureOf(host.call("notes", "echo", {}))).toMatchObject(refused);
  expect(other.seen).not.toContain("POST /token");
  await host.signIns.logout("notes");
  await signIn(); // the user has decided
  expect(other.seen).toContain("POST /token");
});

test("a server that moves gets a new client of the entry, and one that the entry itself moves", async () => {
  await using sandbox = await createSandbox();
  await using place = await startMovingServer();
  const { server, other, move } = place;
  const oauth = { ...SECRET, grantType: "client_credentials" };
  const signIn = async (settings: object): Promise<unknown> => {
    await using host = await hostIn(sandbox, {
      servers: { notes: { url: server.url, oauth: { ...oauth, ...settings } } },
    });
    return await host.signIns.login("notes");
  };
  await signIn({});
  move();
  await signIn({ clientId: "registered-there" });
  expect(other.seen.filter((request) => request === "POST /token")).toHaveLength(1);
  const authServerMetadataUrl = `${other.base}/.well-known/oauth-authorization-server`;
  await signIn({ authServerMetadataUrl });
  expect(other.seen.filter((request) => request === "POST /token")).toHaveLength(2);
});
