import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Credentials } from "../../src/auth/credentials/credential.ts";
import type { Host, Session, Stores } from "../../src/index.ts";
import { Redactor } from "../../src/model/index.ts";
import { createVault } from "../../src/state/index.ts";
import { hostIn } from "../flow/host-in.ts";
import { createMemoryStores } from "../support/memory-stores.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startTokenServer } from "../support/token-server.ts";

const PRINCIPALS = Array.from({ length: 200 }, (_, index) => `user${index}`);
const SERVERS = ["header", "legacy", "signIn"] as const;
type ServerName = (typeof SERVERS)[number];

const tokenOf = (principal: string, server: ServerName, generation = 0): string =>
  `token-${principal}-${server}-${generation}-${"x".repeat(20)}`;

/** Saves a sign-in as a person's login would. All principals have the same ID, account and issuer. */
async function signIn(
  { credentials }: Required<Stores>,
  principal: string,
  url: string,
  accessToken: string,
): Promise<void> {
  await new Credentials(createVault(credentials, principal), new Redactor()).adopt({
    id: "one-id",
    account: "default",
    server: { issuer: "https://issuer.example" },
    client: { clientId: "client" },
    url,
    accessToken,
    tokenType: "bearer",
    obtainedAt: 1,
    generation: 0,
  });
}

/** A host with three kinds of servers that each tell a client its own token. */
async function openWorld() {
  const sandbox = await createSandbox();
  const [header, legacy, signedIn] = await Promise.all([
    startTokenServer(),
    startTokenServer(),
    startTokenServer(),
  ]);
  const stores = createMemoryStores();
  const host = await hostIn(sandbox, {
    discover: false,
    stores,
    timeoutMs: 120_000, // 600 connections at once take long on a busy machine
    servers: {
      header: { url: header.url, headers: { Authorization: "Bearer ${keychain:header}" } },
      legacy: {
        url: legacy.url,
        protocol: "legacy",
        headers: { Authorization: "Bearer ${keychain:legacy}" },
      },
      signIn: { url: signedIn.url },
    },
  });
  for (const principal of PRINCIPALS) {
    await stores.secrets.set(principal, "header", tokenOf(principal, "header"));
    await stores.secrets.set(principal, "legacy", tokenOf(principal, "legacy"));
    await signIn(stores, principal, signedIn.url, tokenOf(principal, "signIn"));
  }
  return {
    host,
    stores,
    servers: { header, legacy, signIn: signedIn },
    async [Symbol.asyncDispose]() {
      await host.close();
      await Promise.all(
        [header, legacy, signedIn, sandbox].map((each) => (each as AsyncDisposable)[Symbol.asyncDispose]()),
      );
    },
  };
}

test("200 principals call three servers at once, and each call uses the principal's own token", async () => {
  await using world = await openWorld();
  const { host, servers } = world;
  const results = await Promise.all(
    PRINCIPALS.flatMap((principal) =>
      SERVERS.map(async (server) => ({
        expected: tokenOf(principal, server),
        result: (await host.call(server, "whoami", {}, { principal })).text,
      })),
    ),
  );
  expect(results.filter(({ expected, result }) => result !== expected)).toEqual([]);
  for (const server of SERVERS) {
    const { seen, mixedUp } = servers[server];
    expect(new Set(seen.map(({ token }) => token)).size).toBe(PRINCIPALS.length);
    expect(mixedUp).toEqual([]);
  }
}, 120_000);

test("no operation of a principal ever uses or shows another principal's token", async () => {
  await using world = await openWorld();
  const { host, stores, servers } = world;
  const generations = new Map<string, number>();
  const sessions = new Map<string, Session>();
  const expected = (principal: string, server: ServerName): string =>
    tokenOf(principal, server, generations.get(`${principal} ${server}`) ?? 0);
  const sessionOf = (principal: string): Session => {
    const session = sessions.get(principal) ?? host.session({ principal });
    sessions.set(principal, session);
    return session;
  };
  const callInSession = async (session: Session, server: string): Promise<string> => {
    const tool = (await session.tools({ waitMs: Number.POSITIVE_INFINITY })).find(
      (each) => each.server === server && each.tool === "whoami",
    );
    return (await tool?.execute({}))?.text ?? "no tool";
  };
  type Operation = (principal: string, server: ServerName) => Promise<readonly string[]>;
  /** Each returns the tokens that it saw. */
  const OPERATIONS: Readonly<Record<string, Operation>> = {
    call: async (principal, server) => [(await host.call(server, "whoami", {}, { principal })).text],
    "call in a session": async (principal, server) => [await callInSession(sessionOf(principal), server)],
    "new session": async (principal, server) => {
      const session = host.session({ principal, servers: [server] });
      const token = await callInSession(session, server);
      session.close();
      return [token];
    },
    "continue another person's session": async (principal, server) => {
      const [other = PRINCIPALS[0] ?? ""] = [...sessions.keys()].filter((each) => each !== principal);
      const session = host.session({ principal, continues: sessionOf(other) });
      const token = await callInSession(session, server);
      session.close();
      return [token];
    },
    "own tool": async (principal, server) => [
      (await host.call(server, `tool_of_${principal}`, {}, { principal })).text,
    ],
    resource: async (principal, server) => {
      const { contents } = await (await host.as(principal)).resources.read(server, "note://token");
      return contents.map(({ text = "" }) => text);
    },
    prompt: async (principal, server) => {
      const { messages } = await (await host.as(principal)).prompts.get(server, "token");
      return messages.map(({ content }) => (content.type === "text" ? content.text : ""));
    },
    list: async (principal, server) => {
      const own = (await host.tools(server, { principal, refresh: true })).map(({ tool }) => tool);
      return own.includes(`tool_of_${principal}`) && own.length === 2 ? [] : own;
    },
    search: async (principal) => {
      const found = (await host.search("tool of user", { principal, limit: 50 })).map(({ tool }) => tool);
      return found.filter((tool) => tool.startsWith("tool_of_") && tool !== `tool_of_${principal}`);
    },
    "another person's tool": async (principal, server) => {
      const other = PRINCIPALS.find((each) => each !== principal);
      const error = await host
        .call(server, `tool_of_${other}`, {}, { principal })
        .catch((reason: Error) => reason);
      return error instanceof Error ? [] : [error.text];
    },
    "new token": async (principal, server) => {
      const generation = (generations.get(`${principal} ${server}`) ?? 0) + 1;
      const token = tokenOf(principal, server, generation);
      if (server === "signIn") await signIn(stores, principal, servers.signIn.url, token);
      else await (await host.as(principal)).secrets.store(server, token);
      generations.set(`${principal} ${server}`, generation);
      await (await host.as(principal)).close();
      return [(await host.call(server, "whoami", {}, { principal })).text];
    },
    "close the server": async (_, server) => {
      await host.close(server);
      return [];
    },
    reload: async () => {
      await host.reload();
      return [];
    },
  };
  const EXCLUSIVE = new Set(["new token", "close the server", "reload"]);
  const step = fc.record({
    principal: fc.constantFrom(...PRINCIPALS),
    server: fc.constantFrom(...SERVERS),
    operation: fc.constantFrom(...Object.keys(OPERATIONS)),
  });
  const run = async ({
    principal,
    server,
    operation,
  }: {
    principal: string;
    server: ServerName;
    operation: string;
  }) => {
    const tokens = (await OPERATIONS[operation]?.(principal, server)) ?? [];
    const wrong = tokens.filter((token) => token !== expected(principal, server));
    if (wrong.length > 0)
      throw new Error(`${operation} as ${principal} on ${server} saw ${wrong.join(", ")}`);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      await Promise.all(steps.filter(({ operation }) => !EXCLUSIVE.has(operation)).map(run));
      for (const each of steps.filter(({ operation }) => EXCLUSIVE.has(operation))) await run(each);
      expect(SERVERS.flatMap((server) => servers[server].mixedUp)).toEqual([]);
    }),
    { numRuns: 25, endOnFailure: true },
  );
}, 240_000);

test("a principal without a secret gets neither the host's nor another principal's", async () => {
  await using world = await openWorld();
  const { host, stores, servers } = world;
  await host.secrets.store("header", tokenOf("host", "header"));
  await stores.secrets.remove("user7", "header");
  const failure = (principal?: string): Promise<unknown> =>
    host.call("header", "whoami", {}, { principal }).then(
      ({ text }) => text,
      ({ code }: { code: string }) => code,
    );
  expect(await failure("user7")).not.toContain("token");
  expect(await failure()).toBe(tokenOf("host", "header"));
  expect(await failure("user8")).toBe(tokenOf("user8", "header"));
  const strangers = (host: Host): Promise<unknown> =>
    host.call("signIn", "whoami").catch((error: Error) => error);
  expect(await strangers(host)).toBeInstanceOf(Error);
  expect(servers.signIn.seen).toEqual([]);
});
