import { rm } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Host, HostOptions } from "../../src/index.ts";
import type { HttpRequest } from "../../src/platform/index.ts";
import { nodeEnvironment, nodePorts } from "../../src/platform/node/index.ts";
import { createFileCredentials, createVault, findOwnPaths } from "../../src/state/index.ts";
import { reportTests } from "../durability/counts.ts";
import { eventsOf, failureOf, hostErrorOf, hostIn } from "../flow/host-in.ts";
import { browse, type OauthServer, startOauthServer } from "../support/oauth-server.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { startHostileServer } from "./hostile-server.ts";

reportTests("sign-ins used only for their server; internal addresses shown or refused");

const SECRET = "s3cret-of-the-client";
const KNOWN = { clientId: "known-client", clientSecret: SECRET };
let server: OauthServer;
let sandbox: Sandbox;
/** Settings for a machine client, which signs in without a user. */
let machine: object;

beforeAll(async () => {
  server = await startOauthServer(["--no-registration", "--client", "known-client", "--secret", SECRET]);
  const { issuer } = await server.control();
  machine = { ...KNOWN, grantType: "client_credentials", tokenUrl: `${issuer}/token`, scope: "mcp:read" };
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  sandbox = await createSandbox();
  return () => sandbox[Symbol.asyncDispose]();
});

const program = (rest: object = {}) => ({ ...stdioServer("tools-server.mjs"), ...rest });
const named = (credentialId: string) => ({ auth: { type: "oauth", credentialId } });
const inProject = (mcpServers: object) => sandbox.writeProject(".plugboard/mcp.json", { mcpServers });
const inHome = (mcpServers: object) => sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
const signIn = (host: Host, name: string) =>
  host.signIns.login(name, { browser: false, onSignIn: (url) => void browse(url) });
const approve = (host: Host, name: string) => host.approvals.approve(name, host.approvals.request(name).hash);
const tokenOf = async (host: Host, name: string): Promise<string> =>
  (await host.call(name, "env", { name: "OAUTH_ACCESS_TOKEN" })).text;

/** Signs in to the remote server, and returns the ID of that sign-in. */
async function signedIn(notes: object = {}): Promise<string> {
  await using host = await hostIn(sandbox, {
    servers: { notes: { type: "http", url: server.url, oauth: KNOWN, ...notes } },
  });
  return (await signIn(host, "notes")).id;
}

/** A host with every problem that it reports from now on. */
async function watched(options: HostOptions = {}) {
  const host = await hostIn(sandbox, options);
  const events = eventsOf(host);
  const problems = () =>
    events.flatMap((event) => (event.type === "problem" ? [event.problem.message] : [])).join("\n");
  return { host, problems, [Symbol.asyncDispose]: () => host.close() };
}

/** HTTP that records where tokens are sent. */
function noting(tokens: string[]): NonNullable<HostOptions["ports"]> {
  const { http } = nodePorts();
  const request = (asked: HttpRequest) => {
    if (asked.headers["authorization"]?.startsWith("Bearer ")) tokens.push(asked.url.href);
    return http.request(asked);
  };
  return { http: { request, close: http.close } };
}

describe("a repository's program", () => {
  test.each([
    ["an ID that the config chose", () => signedIn(named("my-notes"))],
    ["an ID that can be computed", () => signedIn()],
  ])("does not get the sign-in of a remote server, even when it is approved: %s", async (_, makeSignIn) => {
    const id = await makeSignIn();
    await inProject({ program: program(named(id)) });
    await using watching = await watched();
    const { host, problems } = watching;
    await approve(host, "program");
    expect(await tokenOf(host, "program")).toBe("(unset)");
    expect(problems()).toContain(`the sign-in "${id}" is not used: it was created for ${server.url}`);
  });

  test("does not get the sign-in of the user's program of the same name", async () => {
    await inHome({ program: program({ oauth: machine }) });
    await using mine = await hostIn(sandbox);
    await signIn(mine, "program");
    expect((await tokenOf(mine, "program")).length).toBeGreaterThan(20);
    const [view] = await mine.signIns.list();
    await inProject({
      program: program({ oauth: machine }),
      other: program({ ...named(view?.id ?? ""), oauth: machine }),
    });
    await using host = await hostIn(sandbox);
    await approve(host, "program");
    await approve(host, "other");
    expect([await tokenOf(host, "program"), await tokenOf(host, "other")]).toEqual(["(unset)", "(unset)"]);
  });

  test("gets the sign-in that was made for it, until its entry changes", async () => {
    await inProject({ program: program({ oauth: machine }) });
    await using host = await hostIn(sandbox);
    await approve(host, "program");
    await signIn(host, "program");
    expect((await tokenOf(host, "program")).length).toBeGreaterThan(20);

    await inProject({ program: program({ oauth: machine, env: { CHANGED: "1" } }) });
    await using watching = await watched();
    const { host: later, problems } = watching;
    await approve(later, "program");
    expect(await tokenOf(later, "program")).toBe("(unset)");
    expect(problems()).toContain("is not used: the entry changed since you signed in");
    await signIn(later, "program");
    expect((await tokenOf(later, "program")).length).toBeGreaterThan(20);
  });

  test("gets another server's sign-in when the user's own file gives it to the program", async () => {
    const id = await signedIn();
    await inProject({ program: program(named(id)) });
    await inHome({ program: program(named(id)) });
    await using host = await hostIn(sandbox);
    expect((await tokenOf(host, "program")).length).toBeGreaterThan(20);
  });

  test("does not keep another server's sign-in by being moved or imported into the user's file", async () => {
    const id = await signedIn();
    await inProject({ program: program(named(id)) });
    await sandbox.writeProject(".omp/mcp.json", { mcpServers: { copied: program(named(id)) } });
    await using host = await hostIn(sandbox);
    await approve(host, "program");
    await approve(host, "copied");
    expect((await failureOf(host.config.move("program", "user"))).message).toContain(
      `it was created for ${server.url}`,
    );
    const { written, skipped } = await host.config.importFrom({ tool: "omp", scope: "user" });
    expect([written, skipped.map(({ reason }) => reason)]).toEqual([
      [],
      [expect.stringContaining(`it was created for ${server.url}`)],
    ]);
  });
});

describe("a repository's remote server", () => {
  test("does not get a sign-in for another path of the same host", async () => {
    await using trap = await startHostileServer({});
    const tokens: string[] = [];
    await using mine = await hostIn(sandbox, { servers: { mine: { type: "http", url: trap.url } } });
    const { id } = await signIn(mine, "mine");
    await inProject({ evil: { type: "http", url: `${trap.base}/~evil/mcp`, ...named(id) } });
    await using watching = await watched({ ports: noting(tokens) });
    const { host, problems } = watching;
    await approve(host, "evil");
    await hostErrorOf(host.connect("evil"));
    expect(tokens).toEqual([]);
    expect(problems()).toContain(`the sign-in "${id}" is not used: it was created for ${trap.url}`);
  });

  test("does not get the sign-in of a program", async () => {
    await inHome({ program: program({ oauth: machine }) });
    await using mine = await hostIn(sandbox);
    const { id } = await signIn(mine, "program");
    await using trap = await startHostileServer({});
    await inProject({ evil: { type: "http", url: trap.url, ...named(id) } });
    const tokens: string[] = [];
    await using watching = await watched({ ports: noting(tokens) });
    const { host, problems } = watching;
    await approve(host, "evil");
    await hostErrorOf(host.connect("evil"));
    expect(tokens).toEqual([]);
    expect(problems()).toContain(
      `it was created for "program" in ${join(sandbox.home, ".plugboard/mcp.json")}`,
    );
  });

  test("neither replaces nor signs out of the sign-in of another server by naming its ID", async () => {
    const id = await signedIn(named("my-notes"));
    await using trap = await startHostileServer({});
    await inProject({ evil: { type: "http", url: trap.url, ...named(id) } });
    await using host = await hostIn(sandbox);
    await approve(host, "evil");
    expect((await failureOf(signIn(host, "evil"))).message).toContain(
      `the entry names the sign-in "my-notes", which was created for ${server.url}`,
    );
    expect(trap.seen).toEqual([]);
    expect(await host.signIns.logout("evil")).toEqual([]);
    expect(await host.signIns.list()).toMatchObject([{ id, url: server.url }]);
  });
});

test("a token that replaced a sign-in of the same ID does not go to the server of the old one", async () => {
  await using one = await startHostileServer({});
  await using two = await startHostileServer({});
  const tokens: string[] = [];
  const servers = {
    one: { type: "http", url: one.url, ...named("shared") },
    two: { type: "http", url: two.url, ...named("shared") },
  } as const;
  await using host = await hostIn(sandbox, { servers, ports: noting(tokens) });
  await signIn(host, "one");
  const answers = nodePorts().http;
  // The sign-in is replaced while the first server refuses the old token.
  let isReplaced = false;
  const request = async (asked: HttpRequest) => {
    if (asked.url.origin === one.base && asked.headers["authorization"] !== undefined && !isReplaced) {
      isReplaced = true;
      await signIn(host, "two");
    }
    if (asked.headers["authorization"] !== undefined) tokens.push(`late ${asked.url.href}`);
    return answers.request(asked);
  };
  await using late = await hostIn(sandbox, { servers, ports: { http: { request, close: answers.close } } });
  await hostErrorOf(late.connect("one"));
  expect(tokens.filter((sent) => sent.startsWith("late"))).toEqual([`late ${one.url}`]);
});

describe("a sign-in that is configured but not used is reported", () => {
  test.each([
    ["for another address", (url: string) => ({ type: "http", url }), "it was created for URL"],
    [
      "with another client",
      () => ({ type: "http", url: server.url, oauth: { clientId: "other" } }),
      "it was created with a different client ID than the entry has now",
    ],
    [
      "where signing in is off",
      () => ({ type: "http", url: server.url, oauth: false }),
      '"oauth" disables signing in',
    ],
    [
      "of another type",
      () => ({ ...program(), auth: { type: "apikey", credentialId: "my-notes" } }),
      'the "type" of its "auth" is not "oauth"',
    ],
  ])("%s", async (_, entryFor, because) => {
    await signedIn(named("my-notes"));
    await using trap = await startHostileServer({});
    const entry = { ...named("my-notes"), ...entryFor(trap.url) };
    const tokens: string[] = [];
    await using watching = await watched({
      servers: { other: entry as NonNullable<HostOptions["servers"]>[string] },
      ports: noting(tokens),
    });
    const { host, problems } = watching;
    await host.connect("other").catch(() => {});
    const words = `the sign-in "my-notes" is not used: ${because.replace("URL", server.url)}`;
    expect(problems()).toContain(words);
    expect((await host.doctor.checkValues("other")).map(({ message }) => message).join()).toContain(words);
    expect((await host.config.explain("other")).reasons.join()).toContain(
      `sign-in: "my-notes" is not used: ${because.replace("URL", server.url)}`,
    );
    expect(tokens).toEqual([]);
  });
});

test("trust and explain show which sign-in goes where", async () => {
  const id = await signedIn();
  await inProject({ thief: program(named(id)), same: { type: "http", url: server.url } });
  await inHome({ lent: program(named(id)) });
  await using host = await hostIn(sandbox);
  const address = new URL(server.url).host;
  expect(await host.approvals.inspect("thief")).toMatchObject({
    signIn: { id, madeFor: server.url, unused: `it was created for ${server.url}` },
  });
  expect((await host.approvals.inspect("same")).signIn).toEqual({
    id,
    madeFor: server.url,
    goesTo: `${address} as the Authorization header`,
  });
  expect((await host.config.explain("lent")).reasons).toContain(
    `sign-in: "${id}" (made for ${server.url}) goes to ${process.execPath} as OAUTH_ACCESS_TOKEN`,
  );
});

describe("a sign-in of an earlier version, which does not record its program", () => {
  /** Signs in and converts the stored sign-in to the format of an earlier version. */
  async function signInAsBefore(name: string): Promise<void> {
    await using mine = await hostIn(sandbox, { servers: { [name]: program({ oauth: machine }) } });
    await signIn(mine, name);
    const environment = { ...nodeEnvironment(), home: sandbox.home, variables: sandbox.env() };
    const vault = createVault(createFileCredentials(nodePorts(), findOwnPaths(environment), environment));
    for (const { key, value } of await vault.list("oauth.credentials")) {
      const { program: _, ...rest } = value as Record<string, string>;
      await vault.remove("oauth.credentials", key);
      await vault.update("oauth.credentials", name, () => ({ ...rest, id: name }));
    }
  }

  test("stays valid for the user's own program", async () => {
    await signInAsBefore("program");
    await inHome({ program: program({ oauth: machine }) });
    await using host = await hostIn(sandbox);
    expect((await tokenOf(host, "program")).length).toBeGreaterThan(20);
    expect(await host.signIns.logout("program")).toEqual(["default"]);
    expect(await host.signIns.list()).toEqual([]);
  });

  test("stays valid for a repository's program that was approved before the sign-in", async () => {
    await inProject({ program: program({ oauth: machine }) });
    await using host = await hostIn(sandbox);
    await approve(host, "program");
    await signInAsBefore("program");
    expect((await tokenOf(host, "program")).length).toBeGreaterThan(20);
  });

  test("does not go to a repository's program that was approved after the sign-in", async () => {
    await signInAsBefore("program");
    await inProject({ program: program({ oauth: machine }) });
    await using host = await hostIn(sandbox);
    await approve(host, "program");
    expect(await tokenOf(host, "program")).toBe("(unset)");
  });
});

describe("a repository's entry with the URL of the user's server", () => {
  const remote = (oauth?: object) => ({ type: "http" as const, url: server.url, ...(oauth && { oauth }) });
  const kept = async () => {
    await using host = await hostIn(sandbox);
    return host.signIns.list();
  };

  test.each([
    ["with the same client ID", () => machine],
    ["with its own client", () => ({ ...machine, clientId: "other-client" })],
    ["with its own client and account", () => machine, { auth: { type: "oauth", account: "work" } }],
  ])("does not replace the user's sign-in by one of its own %s", async (_, oauth, rest: object = {}) => {
    const id = await signedIn();
    const before = (await kept()).find((view) => view.id === id);
    await inProject({ theirs: { ...remote(oauth()), ...rest } });
    {
      await using host = await hostIn(sandbox);
      await approve(host, "theirs");
      await host.tools("theirs").catch(() => undefined);
      await host.signIns.login("theirs", { browser: false }).catch(() => undefined);
    }
    expect((await kept()).find((view) => view.id === id)).toEqual(before);
    await rm(join(sandbox.project, ".plugboard"), { recursive: true });
    await using host = await hostIn(sandbox, {
      servers: { notes: { type: "http", url: server.url, oauth: KNOWN } },
    });
    expect((await host.tools("notes")).length).toBeGreaterThan(0);
  });

  test("with its own client has its own sign-in, does not use the user's sign-in, and can sign out", async () => {
    const id = await signedIn();
    await inProject({ theirs: remote(machine) });
    await using host = await hostIn(sandbox);
    await approve(host, "theirs");
    const mine = await host.signIns.login("theirs", { browser: false });
    expect(mine.id).not.toBe(id);
    expect(mine.url).toBe(server.url);
    expect((await host.tools("theirs")).length).toBeGreaterThan(0);
    await host.signIns.logout("theirs");
    expect((await host.signIns.list()).map((view) => view.id)).toEqual([id]);
  });

  test("without a client of its own uses the sign-in for that URL, as before", async () => {
    await signedIn();
    await inProject({ theirs: remote() });
    await using host = await hostIn(sandbox);
    await approve(host, "theirs");
    expect((await host.tools("theirs")).length).toBeGreaterThan(0);
  });
});

test("the code and the verifier of a sign-in are masked when the token endpoint repeats them", async () => {
  let sent = "";
  const { http } = nodePorts();
  const request = (asked: HttpRequest) => {
    if (asked.body?.includes("code_verifier=")) sent = asked.body;
    return http.request(asked);
  };
  await using hostile = await startHostileServer({
    token: () => ({
      status: 400,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ error: "invalid_grant", error_description: sent }),
    }),
  });
  const lines: string[] = [];
  await using host = await hostIn(sandbox, {
    servers: { notes: { type: "http", url: hostile.url } },
    ports: { http: { request, close: http.close } },
    log: { log: (...said) => void lines.push(inspect(said, { depth: 10 })) },
  });
  const error = await hostErrorOf(signIn(host, "notes"));
  const parameters = new URLSearchParams(sent);
  const said = [inspect(error, { depth: 10 }), ...lines].join("\n");
  expect(said).toContain("code_verifier=[secret]");
  for (const name of ["code", "code_verifier"]) {
    expect(parameters.get(name)).toBeTruthy();
    expect(said).not.toContain(parameters.get(name));
  }
});
