import { readdir } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createHost, type Host, type HostOptions, type Stores } from "../../src/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { eventually, failureOf, hostIn } from "../flow/host-in.ts";
import { createDeferred } from "../support/deferred.ts";
import { createMemoryStores } from "../support/memory-stores.ts";
import { browse, type OauthServer, startOauthServer } from "../support/oauth-server.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const HI = { text: "hi" };
let sandbox: Sandbox;
let server: OauthServer;
beforeEach(async () => {
  sandbox = await createSandbox();
  server = await startOauthServer();
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

const login = (host: Host): Promise<unknown> =>
  host.signIns.login("notes", { browser: false, onSignIn: (url) => void browse(url) });

/** Approves a project's server, signs in, stores a secret and calls tools. Returns what the tools returned. */
async function useEverything(host: Host): Promise<string[]> {
  await host.approvals.approve("local", host.approvals.request("local").hash);
  await login(host);
  await host.secrets.store("token", "a-secret-in-a-store");
  const { text } = await host.call("local", "env", { name: "TOKEN" });
  return [text, (await host.call("notes", "echo", HI)).text];
}

const writeProject = (): Promise<unknown> =>
  sandbox.writeProject(".mcp.json", {
    mcpServers: { local: stdioServer("tools-server.mjs", [], { TOKEN: "${TOKEN}" }) },
  });

test("a host with its own stores keeps nothing about people in files, and another host finds everything", async () => {
  const stores = createMemoryStores();
  const open = (): Promise<Host> =>
    hostIn(sandbox, {
      stores,
      servers: {
        notes: { url: server.url },
        local: { ...stdioServer("tools-server.mjs"), env: { TOKEN: "keychain:token" } },
      },
    });
  await sandbox.writeProject(".mcp.json", { mcpServers: { repo: stdioServer("tools-server.mjs") } });
  {
    await using host = await open();
    await host.approvals.approve("repo", host.approvals.request("repo").hash);
    await login(host);
    await host.secrets.store("token", "a-secret-in-a-store");
    expect((await host.tools({ waitMs: Number.POSITIVE_INFINITY })).length).toBeGreaterThan(0);
    expect((await host.call("local", "env", { name: "TOKEN" })).text).toBe("a-secret-in-a-store");
    expect(await host.secrets.list()).toEqual(["token"]);
  }
  {
    await using host = await open();
    expect(host.servers().map(({ name, state }) => [name, state])).toContainEqual(["repo", "idle"]);
    expect((await host.tools({ connect: false })).length).toBeGreaterThan(0);
    expect((await host.call("notes", "echo", HI)).text).toBe("hi");
    expect((await host.signIns.list()).length).toBe(1);
    const [report] = await host.pins.review("repo");
    expect(report?.isFirst).toBe(false);
    await host.approvals.revoke("repo");
    expect((await failureOf(host.call("repo", "echo", HI))).code).toBe("INTERACTION_REQUIRED");
  }
  const files = await readdir(sandbox.home, { recursive: true });
  expect(files.filter((file) => /\.sealed|master\.key|approvals|pins|catalogs/.test(file))).toEqual([]);
});

test("adding a server approves it in the program's store", async () => {
  const stores = createMemoryStores();
  await using host = await hostIn(sandbox, { stores });
  await host.config.add({ name: "mine", server: { ...stdioServer("tools-server.mjs") }, scope: "project" });
  expect((await stores.approvals.list("")).map(({ server: name }) => name)).toEqual(["mine"]);
  expect((await host.call("mine", "echo", HI)).text).toBe("hi");
});

test("approvals that cannot be read are a problem, and nothing counts as approved", async () => {
  await writeProject();
  const stores: Stores = {
    approvals: {
      ...createMemoryStores().approvals,
      list: () => Promise.reject(new Error("the database is gone")),
    },
  };
  await using host = await hostIn(sandbox, { stores });
  expect(host.snapshot().problems).toContainEqual(
    expect.objectContaining({
      code: "state-unreadable",
      message: expect.stringContaining("the database is gone"),
    }),
  );
  expect(host.servers().map(({ state }) => state)).toEqual(["untrusted"]);
});

describe("a store that fails", () => {
  const broken = async (): Promise<never> => {
    throw new Error("the database is gone");
  };

  test("makes operations that need it fail with STORE_UNAVAILABLE", async () => {
    const { credentials, secrets } = createMemoryStores();
    const stores: Stores = {
      credentials: { ...credentials, get: broken, list: broken, exclusively: broken },
      secrets: { ...secrets, get: broken, list: broken },
    };
    const local = { ...stdioServer("tools-server.mjs"), env: { TOKEN: "keychain:token" } };
    await using host = await hostIn(sandbox, { stores, servers: { notes: { url: server.url }, local } });
    for (const operation of [
      () => host.call("notes", "echo", HI),
      () => host.call("local", "echo", HI),
      () => host.signIns.list(),
      () => host.secrets.list(),
    ])
      expect(await failureOf(operation())).toMatchObject({
        code: "STORE_UNAVAILABLE",
        message: expect.stringMatching(/^The program's store "\w+" failed: the database is gone$/),
      });
  });
});

describe("a store that never answers", () => {
  const never = (): Promise<never> => new Promise(() => {});

  test("does not keep the host from closing while a server starts", async () => {
    const { credentials, secrets } = createMemoryStores();
    const stores = { credentials: { ...credentials, get: never }, secrets: { ...secrets, get: never } };
    const local = { ...stdioServer("tools-server.mjs"), env: { TOKEN: "keychain:token" } };
    const host = await hostIn(sandbox, { stores, servers: { notes: { url: server.url }, local } });
    const calls = ["notes", "local"].map((name) => failureOf(host.call(name, "echo", HI)));
    await eventually(() =>
      expect(host.servers().map(({ state }) => state)).toEqual(["connecting", "connecting"]),
    );
    await host.close();
    expect((await Promise.all(calls)).map(({ code }) => code)).toEqual(["HOST_CLOSED", "HOST_CLOSED"]);
  });

  /** Ends the time limit of reads at once. */
  const quickReads = (): NonNullable<HostOptions["ports"]> => {
    const { clock } = nodePorts();
    return { clock: { ...clock, after: (ms, run) => clock.after(ms === 1_000 ? 0 : ms, run) } };
  };

  test("of cached lists has the lists read from the servers", async () => {
    const stores = { catalogs: { ...createMemoryStores().catalogs, get: never } };
    const servers = { local: stdioServer("tools-server.mjs") };
    await using host = await hostIn(sandbox, { stores, servers, ports: quickReads() });
    expect(await host.tools({ connect: false })).toEqual([]);
    expect((await host.call("local", "echo", HI)).text).toBe("hi");
    expect((await host.session().tools({ waitMs: Number.POSITIVE_INFINITY })).length).toBeGreaterThan(0);
  });

  test("of pins has all tools count as not reviewed, until the store responds", async () => {
    const { pins } = createMemoryStores();
    const responds = createDeferred();
    const get: typeof pins.get = async (key) => {
      await responds.promise;
      return pins.get(key);
    };
    const stores = { pins: { ...pins, get } };
    await writeProject();
    await using host = await hostIn(sandbox, {
      stores,
      trustProject: true,
      ports: quickReads(),
      env: { ...sandbox.env(), TOKEN: "t" },
    });
    expect(await host.tools({ waitMs: Number.POSITIVE_INFINITY })).toEqual([]);
    expect(host.snapshot().problems).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("it did not respond within 1 s") }),
    );
    responds.resolve();
    expect((await host.tools({ waitMs: Number.POSITIVE_INFINITY })).length).toBeGreaterThan(0);
  });

  test("of cached lists does not keep tools from ending when the host is closed", async () => {
    const stores = { catalogs: { ...createMemoryStores().catalogs, get: never } };
    const servers = { local: stdioServer("raw-server.mjs", ["hang-list"]) };
    const host = await hostIn(sandbox, { stores, servers });
    const listing = host.tools({ waitMs: Number.POSITIVE_INFINITY }).catch(() => []);
    await host.close();
    expect(await listing).toEqual([]);
  });

  test("does not keep the host from closing while it writes", async () => {
    const { clock } = nodePorts();
    const soon: typeof clock = { ...clock, after: (ms, run) => clock.after(ms === 20_000 ? 0 : ms, run) };
    const events: string[] = [];
    const host = await hostIn(sandbox, {
      stores: { catalogs: { ...createMemoryStores().catalogs, set: never } },
      servers: { local: stdioServer("tools-server.mjs") },
      ports: { clock: soon },
      log: { log: (_level, event) => void events.push(event) },
    });
    expect((await host.tools("local")).length).toBeGreaterThan(0);
    await host.close();
    expect(events).toContain("close.incomplete");
  });
});

describe("without a writable home", () => {
  const refuse = async (): Promise<never> => {
    throw Object.assign(new Error("EROFS: read-only file system"), { code: "EROFS" });
  };
  /** A file system on which nothing can be written, which file modes cannot express for root. */
  const readOnly = (): HostOptions["ports"] => {
    const { files } = nodePorts();
    const writes = {
      create: refuse,
      replace: refuse,
      append: refuse,
      rename: refuse,
      remove: refuse,
      makeFolder: refuse,
    };
    return { files: { ...files, ...writes } };
  };
  const HOMES: Readonly<Record<string, () => HostOptions>> = {
    "read-only": () => ({ env: sandbox.env(), ports: readOnly() ?? {} }),
    absent: () => ({ env: { PATH: process.env["PATH"], HOME: "/dev/null/home", PLUGBOARD_KEYCHAIN: "off" } }),
    "absent PLUGBOARD_HOME": () => ({
      env: { PATH: process.env["PATH"], PLUGBOARD_HOME: "/dev/null/plugboard", PLUGBOARD_KEYCHAIN: "off" },
    }),
  };

  test.each(Object.keys(HOMES))("(%s) everything works with the program's stores", async (kind) => {
    await writeProject();
    const options = HOMES[kind]?.() ?? {};
    const env = { ...options.env, TOKEN: "a-value" };
    await using host = await createHost({
      ...options,
      env,
      cwd: sandbox.project,
      stores: createMemoryStores(),
      servers: { notes: { url: server.url } },
    });
    expect(await useEverything(host)).toEqual(["a-value", "hi"]);
    const alice = await host.as("alice");
    await alice.secrets.store("token", "a-secret-of-alice");
    expect(await alice.secrets.list()).toEqual(["token"]);
    expect((await host.session().tools()).length).toBeGreaterThan(0);
  });

  test.each(Object.keys(HOMES))(
    "(%s) tools can be called without stores, and writes fail with the path",
    async (kind) => {
      const options = HOMES[kind]?.() ?? {};
      await using host = await createHost({
        ...options,
        cwd: sandbox.project,
        servers: { local: stdioServer("tools-server.mjs") },
      });
      expect((await host.call("local", "echo", HI)).text).toBe("hi");
      expect((await host.call("local", "echo", HI, { principal: "alice" })).text).toBe("hi");
      const { code, message } = await failureOf(host.secrets.store("token", "text-of-a-secret"));
      expect([code, message]).toEqual([
        expect.stringMatching(/STATE_UNREADABLE|CONFIG_UNWRITABLE/),
        expect.stringContaining("vault"),
      ]);
    },
  );
});
