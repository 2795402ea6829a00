import { beforeEach, describe, expect, test } from "vitest";
import type { Host, HostOptions } from "../../src/index.ts";
import { reportTests } from "../durability/counts.ts";
import { eventsOf, failureOf, hostErrorOf, hostIn } from "../flow/host-in.ts";
import { browse } from "../support/oauth-server.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { type Attack, type HostileServer, startHostileServer } from "./hostile-server.ts";

reportTests("sign-ins used only for their server; internal addresses shown or refused");

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox();
  return () => sandbox[Symbol.asyncDispose]();
});

const inProject = (notes: object) =>
  sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { notes: { type: "http", ...notes } } });
const signIn = (host: Host, options: object = {}) =>
  host.signIns.login("notes", { browser: false, onSignIn: (url) => void browse(url), ...options });

/** A host with an approved project server. */
async function approvedHost(options: HostOptions = {}): Promise<Host> {
  const host = await hostIn(sandbox, options);
  await host.approvals.approve("notes", host.approvals.request("notes").hash);
  return host;
}

/** An MCP server whose authorization server is on another port. */
const sendingTo = (other: HostileServer): Attack => ({
  resource: (document) => ({ ...document, authorization_servers: [other.base] }),
});

/** Ways in which a server can name another port of this machine. */
const NAMES: readonly (readonly [string, (other: string) => Attack])[] = [
  ["its challenge", (other) => ({ challenge: () => `Bearer resource_metadata="${other}/resource"` })],
  ["its authorization server", (other) => ({ resource: (d) => ({ ...d, authorization_servers: [other] }) })],
  ...["token", "registration", "revocation", "authorization", "device_authorization"].map(
    (kind) =>
      [
        `its ${kind} endpoint`,
        (other: string): Attack => ({ metadata: (d) => ({ ...d, [`${kind}_endpoint`]: `${other}/any` }) }),
      ] as const,
  ),
  ["a redirect", (other) => ({ resource: () => ({ status: 302, headers: { location: `${other}/x` } }) })],
];

describe("a repository's server on this machine", () => {
  test.each(NAMES)("does not make a sign-in contact another port: %s", async (_, attackFor) => {
    await using other = await startHostileServer({});
    await using trap = await startHostileServer(attackFor(other.base));
    await inProject({ url: trap.url });
    const shown: string[] = [];
    const opened: string[] = [];
    await using host = await approvedHost({
      ports: { browser: { open: async (url) => (opened.push(url.href), true) } },
    });
    const failure = await failureOf(
      signIn(host, { browser: true, onSignIn: (url: string) => void shown.push(url) }),
    );
    expect(failure).toMatchObject({ code: "AUTH_FAILED", server: "notes" });
    await hostErrorOf(host.call("notes", "echo", {}));
    expect([other.seen, shown, opened]).toEqual([[], [], []]);
  });

  test.each(["localhost", "127.0.0.2", "127.1", "0x7f000001", "[::1]", "any.localhost"])(
    "does not make a sign-in contact this machine by another name: %s",
    async (name) => {
      await using trap = await startHostileServer({
        resource: (document, base) => ({
          ...document,
          authorization_servers: [base.replace("127.0.0.1", name).replace(/\d+$/, "9")],
        }),
      });
      await inProject({ url: trap.url });
      await using host = await approvedHost();
      expect((await failureOf(signIn(host))).message).toContain("which is not in the approved entry");
    },
  );

  test("is signed in to at its own address, and at one that its approved entry names", async () => {
    await using own = await startHostileServer({});
    await inProject({ url: own.url });
    await using host = await approvedHost();
    expect((await signIn(host)).state).toBe("signed-in");

    await using as = await startHostileServer({});
    await using trap = await startHostileServer(sendingTo(as));
    const authServerMetadataUrl = `${as.base}/.well-known/oauth-authorization-server`;
    await inProject({ url: trap.url, oauth: { authServerMetadataUrl } });
    await using named = await approvedHost();
    expect((await signIn(named)).state).toBe("signed-in");
    // Its tokens are also renewed and revoked there.
    expect(await named.signIns.logout("notes")).toEqual(["default"]);
    expect(as.seen).toContain("POST /revoke");
  });

  test("is not signed in to at an address that only a variable names", async () => {
    await using as = await startHostileServer({});
    await using trap = await startHostileServer({});
    const authServerMetadataUrl = "http://127.0.0.1:${AS_PORT}/.well-known/oauth-authorization-server";
    await inProject({ url: trap.url, oauth: { authServerMetadataUrl } });
    const env = { ...sandbox.env(), AS_PORT: new URL(as.base).port };
    await using host = await approvedHost({ env });
    expect((await failureOf(signIn(host))).message).toContain("which is not in the approved entry");
    expect(as.seen).toEqual([]);
  });

  test("has no address of its own when it is a program, so a variable cannot complete one", async () => {
    await using as = await startHostileServer({});
    const oauth = {
      clientId: "c",
      clientSecret: "s",
      grantType: "client_credentials",
      tokenUrl: "http://127.0.0.1:${AS_PORT}/token",
    };
    const notes = { ...stdioServer("tools-server.mjs"), oauth };
    await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { notes } });
    const env = { ...sandbox.env(), AS_PORT: new URL(as.base).port };
    await using host = await approvedHost({ env });
    expect((await failureOf(signIn(host))).message).toContain("which is not in the approved entry");
    expect(as.seen).toEqual([]);
  });

  test("is not signed in to at an address that its entry names while it is only trusted for this run", async () => {
    await using as = await startHostileServer({});
    await using trap = await startHostileServer({});
    const oauth = { authServerMetadataUrl: `${as.base}/.well-known/oauth-authorization-server` };
    await inProject({ url: trap.url, oauth });
    await using host = await hostIn(sandbox, { trustProject: true });
    expect((await failureOf(signIn(host))).message).toContain("which is not in the approved entry");
    expect(as.seen).toEqual([]);
  });
});

describe("the user's own server on this machine", () => {
  test("may sign in at another port, which is reported before anything is sent there", async () => {
    await using as = await startHostileServer({});
    await using mcp = await startHostileServer(sendingTo(as));
    await using host = await hostIn(sandbox, { servers: { notes: { type: "http", url: mcp.url } } });
    const sentBefore: number[] = [];
    const messages: string[] = [];
    host.subscribe((event) => {
      if (event.type !== "problem" || event.problem.code !== "sign-in-address") return;
      sentBefore.push(as.seen.length);
      messages.push(event.problem.message);
    });
    expect((await signIn(host)).state).toBe("signed-in");
    expect(sentBefore).toEqual([0]);
    expect(messages[0]).toContain(`"notes" signs in at ${as.base}, another address on this machine`);
  });

  test("reports the sign-in page before the browser is sent to another port", async () => {
    await using page = await startHostileServer({});
    await using mcp = await startHostileServer({
      metadata: (document) => ({ ...document, authorization_endpoint: `${page.base}/authorize` }),
    });
    const order: string[] = [];
    await using host = await hostIn(sandbox, {
      servers: { notes: { type: "http", url: mcp.url } },
      ports: { browser: { open: async (url) => (order.push(`opened ${url.origin}`), false) } },
    });
    host.subscribe((event) => {
      if (event.type === "problem" && event.problem.code === "sign-in-address") order.push("shown");
    });
    const stop = new AbortController();
    await signIn(host, { browser: true, signal: stop.signal, onSignIn: () => stop.abort() }).catch(() => {});
    expect(order).toEqual(["shown", `opened ${page.base}`]);
  });

  test("reports nothing when it signs in at its own address", async () => {
    await using mcp = await startHostileServer({});
    await using host = await hostIn(sandbox, { servers: { notes: { type: "http", url: mcp.url } } });
    const events = eventsOf(host);
    await signIn(host);
    expect(events.filter(({ type }) => type === "problem")).toEqual([]);
  });
});
