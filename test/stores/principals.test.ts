import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { McpServer } from "@modelcontextprotocol/server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type {
  AgentTool,
  Host,
  HostOptions,
  JsonObject,
  LocalServerOptions,
  Session,
} from "../../src/index.ts";
import type { McpTransport } from "../../src/model/index.ts";
import { createScriptedServer } from "../../src/testing/index.ts";
import { eventsOf, eventually, failureOf, hostErrorOf, hostIn, isRunning } from "../flow/host-in.ts";
import { createMemoryStores } from "../support/memory-stores.ts";
import { browse, startOauthServer } from "../support/oauth-server.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { startTokenServer } from "../support/token-server.ts";

let sandbox: Sandbox;
let host: Host | undefined;
/** A server that returns its process ID and the variable TOKEN. */
let local: LocalServerOptions;

beforeEach(async () => {
  sandbox = await createSandbox();
  const kit = pathToFileURL(resolve("dist/testing/index.js")).href;
  const program = await sandbox.writeProject(
    "pid-server.mjs",
    `import { serveLines } from ${JSON.stringify(kit)};
     const pid = { run: () => process.pid + " " + process.env.TOKEN };
     await serveLines({ name: "pid", version: "1", tools: { pid } }, process.stdin, process.stdout);`,
  );
  local = { command: process.execPath, args: [program], env: { TOKEN: "keychain:token" } };
});
afterEach(async () => {
  await host?.close();
  host = undefined;
  await sandbox[Symbol.asyncDispose]();
});

async function openHost(options: HostOptions): Promise<Host> {
  host = await hostIn(sandbox, { discover: false, ...options });
  return host;
}

const toolIn = async (session: Session, name: string): Promise<AgentTool> => {
  const found = (await session.tools()).find(({ tool }) => tool === name);
  if (found === undefined) throw new Error(`The session has no tool "${name}".`);
  return found;
};
const callIn = async (session: Session, name: string): Promise<string> =>
  (await (await toolIn(session, name)).execute({})).text;
const pidIn = async (session: Session): Promise<number> => Number.parseInt(await callIn(session, "pid"), 10);

describe("a local server", () => {
  test("has one process per principal, with that principal's secret", async () => {
    const mine = await openHost({ servers: { local } });
    for (const name of ["alice", "bob"])
      await (await mine.as(name)).secrets.store("token", `secret-of-${name}`);
    const call = async (principal?: string): Promise<string> =>
      (await mine.call("local", "pid", {}, { principal })).text;
    const [alice = "", again = "", bob = "", own = ""] = await Promise.all(
      ["alice", "alice", "bob", undefined].map(call),
    );
    expect(again).toBe(alice);
    expect([alice, bob, own].map((text) => text.split(" ")[1])).toEqual([
      "secret-of-alice",
      "secret-of-bob",
      "undefined",
    ]);
    expect(new Set([alice, bob, own].map((text) => text.split(" ")[0])).size).toBe(3);
  });

  test("has one process for all sessions of a principal, unless `share` says otherwise", async () => {
    const servers = { local, apart: { ...local, share: "session" } } as const;
    const mine = await openHost({ servers });
    const open = (server: string, principal?: string): Session =>
      mine.session({ servers: [server], ...(principal !== undefined && { principal }) });
    const pids = async (server: string, principal?: string): Promise<number> => {
      const sessions = [open(server, principal), open(server, principal)];
      const both = await Promise.all(sessions.map(pidIn));
      const again = await Promise.all(sessions.map(pidIn));
      expect(again).toEqual(both);
      return new Set(both).size;
    };
    expect([await pids("local", "alice"), await pids("local")]).toEqual([1, 1]);
    expect([await pids("apart", "alice"), await pids("apart")]).toEqual([2, 2]);
  });

  test("that belongs to a session ends with the session, and continues in the next one", async () => {
    const mine = await openHost({ servers: { local: { ...local, share: "session" } } });
    const first = mine.session({ principal: "alice" });
    const pid = await pidIn(first);
    const second = mine.session({ principal: "alice", continues: first });
    expect(await pidIn(second)).toBe(pid);
    first.close();
    first.close();
    expect(await pidIn(second)).toBe(pid);
    const stranger = mine.session({ principal: "bob", continues: second });
    expect(await pidIn(stranger)).not.toBe(pid);
    const tool = await toolIn(second, "pid");
    second.close();
    await eventually(async () => expect(await isRunning(pid)).toBe(false));
    expect(await tool.execute({})).toMatchObject({
      isError: true,
      text: "MCP error: This session is closed.",
    });
    const late = mine.session({ principal: "alice", continues: second });
    expect(await pidIn(late)).not.toBe(pid);
  });

  test("that is known to keep state belongs to a session of a principal, and is shared by the host's own user", async () => {
    const args = [...(local.args ?? []), "@playwright/mcp@1.2.3"];
    const mine = await openHost({ servers: { local: { ...local, args } } });
    const pids = async (principal?: string): Promise<number[]> =>
      Promise.all([1, 2].map(() => pidIn(mine.session(principal === undefined ? {} : { principal }))));
    expect(new Set(await pids("alice")).size).toBe(2);
    expect(new Set(await pids()).size).toBe(1);
  });

  test("that belongs to a session is stopped by a reload that changes it, and by closing the server", async () => {
    const entry = (share: string) => ({ mcpServers: { local: { ...local, share } } });
    await sandbox.writeHome(".plugboard/mcp.json", entry("session"));
    const mine = await openHost({ discover: true });
    const session = mine.session({ principal: "alice" });
    const pid = await pidIn(session);
    await mine.close("local");
    expect(await isRunning(pid)).toBe(false);
    const next = await pidIn(session);
    await sandbox.writeHome(".plugboard/mcp.json", entry("user"));
    await mine.reload();
    expect(await isRunning(next)).toBe(false);
    expect(await pidIn(session)).toBe(await pidIn(mine.session({ principal: "alice" })));
  });
});

describe("approvals", () => {
  test("of a principal count for that principal only", async () => {
    await sandbox.writeProject(".mcp.json", { mcpServers: { local: { ...local, env: {} } } });
    const mine = await openHost({ discover: true });
    const alice = await mine.as("alice");
    await alice.approvals.approve("local", alice.approvals.request("local").hash);
    expect(Number.parseInt((await alice.call("local", "pid")).text, 10)).toBeGreaterThan(0);
    for (const principal of ["bob", undefined])
      expect((await failureOf(mine.call("local", "pid", {}, { principal }))).code).toBe(
        "INTERACTION_REQUIRED",
      );
    expect((await mine.tools({ principal: "bob" })).length).toBe(0);
    expect((await mine.as("bob")).servers().map(({ state }) => state)).toEqual(["untrusted"]);
    await mine.close();
    const again = await openHost({ discover: true });
    expect((await again.call("local", "pid", {}, { principal: "alice" })).isError).toBe(false);
    await (await again.as("alice")).approvals.revoke("local");
    expect((await failureOf(again.call("local", "pid", {}, { principal: "alice" }))).code).toBe(
      "INTERACTION_REQUIRED",
    );
  });

  test("of servers and calls are requested with the principal's name", async () => {
    await sandbox.writeProject(".plugboard/mcp.json", {
      mcpServers: { local: { ...local, approval: "ask" } },
    });
    const asked: unknown[] = [];
    const mine = await openHost({
      discover: true,
      interaction: "ask",
      onApproval: ({ principal }) => asked.push(`approval ${principal}`) > 0,
      onCall: ({ principal }) => asked.push(`call ${principal}`) > 0,
    });
    await mine.call("local", "pid", {}, { principal: "alice" });
    await mine.call("local", "pid");
    expect(asked).toEqual(["approval alice", "call alice", "approval undefined", "call undefined"]);
  });
});

test("a server's questions and events carry the principal's name", async () => {
  const asked: unknown[] = [];
  const mine = await openHost({
    servers: { asking: stdioServer("asking-server.mjs") },
    onElicitation({ principal }) {
      asked.push(principal);
      return { action: "decline" };
    },
  });
  const events = eventsOf(mine);
  await mine.call("asking", "form", {}, { principal: "alice" });
  expect(asked).toEqual(["alice"]);
  expect(events.length).toBeGreaterThan(0);
  expect(events.filter(({ principal }) => principal !== "alice")).toEqual([]);
  expect(mine.servers()[0]?.state).toBe("idle");
});

describe("sign-ins", () => {
  test("of two principals at the same time get different tokens, and the program's client is registered once", async () => {
    await using server = await startOauthServer();
    const prompts: unknown[] = [];
    const mine = await openHost({
      servers: { notes: { url: server.url } },
      stores: createMemoryStores(),
      interaction: "ask",
      ports: { browser: { open: async () => false } },
      onSignIn(url, { principal }) {
        prompts.push(principal);
        void browse(url);
      },
    });
    for (const principal of ["carol", "dave"])
      await mine.call("notes", "echo", { text: "hi" }, { principal });
    expect((await server.control()).registrations).toBe(1);
    const results = await Promise.all(
      ["alice", "alice", "bob"].map((principal) =>
        mine.call("notes", "echo", { text: principal }, { principal }),
      ),
    );
    expect(results.map(({ text }) => text)).toEqual(["alice", "alice", "bob"]);
    expect(prompts.sort()).toEqual(["alice", "bob", "carol", "dave"]);
    expect((await server.control()).tokens).toBe(4);
    const alice = await mine.as("alice");
    expect([(await alice.signIns.list()).length, (await mine.signIns.list()).length]).toEqual([1, 0]);
    await alice.signIns.logout("notes");
    expect((await (await mine.as("bob")).signIns.list()).length).toBe(1);
  });

  test("of a program's own provider are per principal: an object is refused, a function is asked once", async () => {
    await using server = await startTokenServer();
    const asked: unknown[] = [];
    const mine = await openHost({
      servers: {
        one: { url: server.url, authProviderId: "one" },
        each: { url: server.url, authProviderId: "each" },
      },
      authProvidersById: {
        one: { token: () => "token-of-the-operator" },
        each(principal) {
          asked.push(principal);
          return { token: () => `token-${principal}` };
        },
      },
    });
    const call = async (name: string, principal?: string): Promise<string> =>
      (await mine.call(name, "whoami", {}, { principal })).text;
    expect(await call("one")).toBe("token-of-the-operator");
    const refused = await failureOf(call("one", "alice"));
    expect([refused.code, refused.hint]).toEqual([
      "AUTH_PROVIDER_UNKNOWN",
      expect.stringContaining("(principal) =>"),
    ]);
    expect([await call("each", "alice"), await call("each", "bob"), await call("each", "alice")]).toEqual([
      "token-alice",
      "token-bob",
      "token-alice",
    ]);
    expect(asked).toEqual(["alice", "bob"]);
    expect(server.seen.filter(({ token }) => token === "token-of-the-operator").length).toBeGreaterThan(0);
  });
});

describe("a session's headers", () => {
  test("go to the named server only, replace the entry's, and end with the session", async () => {
    await using one = await startTokenServer();
    await using other = await startTokenServer();
    const headers = { authorization: "Bearer token-entry-0" };
    const mine = await openHost({
      servers: { one: { url: one.url, headers }, other: { url: other.url, headers } },
    });
    const sessions = ["a", "b"].map((name) =>
      mine.session({ headers: { one: { Authorization: `Bearer token-${name}-session` } } }),
    );
    const tokens = await Promise.all(
      sessions.map(async (session) => {
        const tools = (await session.tools()).filter(({ tool }) => tool === "whoami");
        return Promise.all(tools.map(async (tool) => [tool.server, (await tool.execute({})).text]));
      }),
    );
    expect(tokens.map((list) => Object.fromEntries(list))).toEqual([
      { one: "token-a-session", other: "token-entry-0" },
      { one: "token-b-session", other: "token-entry-0" },
    ]);
    expect((await mine.call("one", "whoami")).text).toBe("token-entry-0");
    expect(new Set(other.seen.map(({ token }) => token))).toEqual(new Set(["token-entry-0"]));
    const names = await Promise.all(
      sessions.map(async (session) =>
        (await session.tools()).map(({ tool }) => tool).filter((tool) => /_of_/.test(tool)),
      ),
    );
    expect(names.map((list) => list.sort())).toEqual([
      ["tool_of_a", "tool_of_entry"],
      ["tool_of_b", "tool_of_entry"],
    ]);
    for (const file of await readdir(sandbox.home, { recursive: true }))
      expect(await readFile(join(sandbox.home, file), "utf8").catch(() => "")).not.toContain("session");
  });

  test("replace a sign-in, and the user is not asked to sign in", async () => {
    await using server = await startTokenServer();
    const mine = await openHost({
      servers: { one: { url: server.url, oauth: { clientId: "c" }, authProviderId: "p" } },
      authProvidersById: { p: { token: () => "token-provider" } },
    });
    const session = mine.session({
      principal: "alice",
      headers: { one: { authorization: "Bearer token-alice-1" } },
    });
    expect(await callIn(session, "whoami")).toBe("token-alice-1");
  });

  test.each([
    ["an unknown server", { none: { a: "secret-value" } }],
    ["a local program", { local: { a: "secret-value" } }],
    ["a header with a line feed", { remote: { a: "secret-value\r\nHost: evil.example" } }],
    ["a header name with a space", { remote: { "a b": "secret-value" } }],
  ])("are refused for %s, without showing the value", async (_, headers) => {
    const mine = await openHost({ servers: { local, remote: { url: "http://127.0.0.1:9/mcp" } } });
    const error = await hostErrorOf(Promise.resolve().then(() => mine.session({ headers })));
    expect([error.code, JSON.stringify(error) + error.stack]).toEqual([
      "USAGE_INVALID",
      expect.not.stringContaining("secret-value"),
    ]);
  });
});

test.each(["", "a\nb", "a\u0000", "\ud800", "x".repeat(257)])(
  "the principal %j is refused",
  async (principal) => {
    const mine = await openHost({ servers: { local } });
    expect((await failureOf(mine.call("local", "pid", {}, { principal }))).code).toBe("USAGE_INVALID");
    expect((await failureOf(mine.as(principal))).code).toBe("USAGE_INVALID");
    expect(() => mine.session({ principal })).toThrow("A principal must be");
  },
);

test("a principal's secrets are kept in folders that do not show the name, and uninstalling removes them", async () => {
  const mine = await openHost({ servers: { local } });
  for (const name of ["alice@example.com", "../../escape", "bob"])
    await (await mine.as(name)).secrets.store("token", `secret-of-${name.replace(/\W/g, "")}`);
  const files = await readdir(sandbox.home, { recursive: true });
  expect(files.filter((file) => /alice|escape|bob/.test(file))).toEqual([]);
  const sealed = files.filter((file) => file.endsWith(".sealed"));
  expect(new Set(sealed.map((file) => file.split("/").slice(-1)[0])).size).toBe(3);
  const { failures, others } = await mine.doctor.uninstall(await mine.doctor.planUninstall({}));
  expect([failures, others]).toEqual([[], []]);
  expect(
    (await readdir(sandbox.home, { recursive: true })).filter((file) => file.endsWith(".sealed")),
  ).toEqual([]);
});

test("a store that fails for one principal does not affect another", async () => {
  await using server = await startTokenServer();
  const stores = createMemoryStores();
  const secrets = {
    ...stores.secrets,
    async get(principal: string, name: string) {
      if (principal === "alice") throw new Error("the database is gone");
      return name === "token" ? `token-${principal}` : undefined;
    },
  };
  const mine = await openHost({
    servers: { one: { url: server.url, headers: { Authorization: "Bearer ${keychain:token}" } } },
    stores: { ...stores, secrets },
  });
  const call = (principal: string) => mine.call("one", "whoami", {}, { principal });
  const [alice, bob] = await Promise.allSettled([call("alice"), call("bob")]);
  expect(alice.status).toBe("rejected");
  expect(bob.status === "fulfilled" && bob.value.text).toBe("token-bob");
});

describe("a server in the same process", () => {
  const scripted = (text: string): McpTransport => {
    const server = createScriptedServer({ name: "own", version: "1", tools: { who: { run: () => text } } });
    const transport: McpTransport = {
      start: async () => {},
      close: async () => transport.onclose?.(),
      send: (message) => server.receive(message as JsonObject, (reply) => transport.onmessage?.(reply)),
    };
    return transport;
  };

  test("learns which principal a connection is for", async () => {
    const mine = await openHost({
      servers: { own: { transport: (principal) => scripted(String(principal)) } },
    });
    const who = async (principal?: string): Promise<string> =>
      (await mine.call("own", "who", {}, { principal })).text;
    expect(await Promise.all(["alice", "bob", undefined].map(who))).toEqual(["alice", "bob", "undefined"]);
  });

  test("cannot be one object for several principals, because their connections would end each other", async () => {
    const server = new McpServer({ name: "own", version: "1" });
    server.registerTool("who", {}, () => ({ content: [{ type: "text", text: "the host" }] }));
    const mine = await openHost({ servers: { own: { server, share: "session" } } });
    expect((await mine.call("own", "who")).text).toBe("the host");
    const { code, hint } = await failureOf(mine.call("own", "who", {}, { principal: "alice" }));
    expect([code, hint]).toEqual(["CONNECT_FAILED", expect.stringContaining('"transport": (principal) =>')]);
    expect(await Promise.all([1, 2].map(() => callIn(mine.session(), "who")))).toEqual([
      "the host",
      "the host",
    ]);
  });
});

test("a host that records or replays calls has no principals, because one would get the results of another", async () => {
  const mine = await openHost({ servers: { local }, record: "calls.jsonl" });
  expect((await failureOf(mine.call("local", "pid", {}, { principal: "alice" }))).code).toBe("USAGE_INVALID");
});
