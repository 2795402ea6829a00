import { execFile } from "node:child_process";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import type { Host, HostEvent, ServerState } from "../../src/index.ts";
import { findStragglers } from "../support/find-stragglers.ts";
import { type PackageRegistry, startPackageRegistry } from "../support/package-registry.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { eventsOf, eventually, failureOf, hostIn } from "./host-in.ts";

const ENTRY = { command: "npx", args: ["-y", "mcp-acme@1.0.0"] };
const SLOW = 120_000;
const raw = fileURLToPath(new URL("../servers/raw-server.mjs", import.meta.url));

/** A home without packages, and a registry whose downloads wait until the test releases them. */
interface World extends AsyncDisposable {
  readonly sandbox: Sandbox;
  /** How many downloads were requested. */
  downloads(): number;
  letGo(): void;
  cached(): Promise<string[]>;
  /** What Plugboard left beside npm's cache. */
  leftovers(): Promise<string[]>;
  npx(...args: string[]): Promise<string>;
}

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world[Symbol.asyncDispose]();
});

async function createWorld({ held = false }: { held?: boolean } = {}): Promise<World> {
  const sandbox = await createSandbox();
  let downloads = 0;
  let letGo = (): void => {};
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  if (!held) letGo();
  const script = `#!/usr/bin/env node
if (process.argv[2] === "--hello") console.log("hello");
else await import(${JSON.stringify(raw)});
`;
  const registry: PackageRegistry = await startPackageRegistry("mcp-acme", script, () => {
    downloads += 1;
    return free;
  });
  await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
  const list = (folder: string): Promise<string[]> =>
    readdir(join(sandbox.home, ".npm", folder)).catch(() => []);
  const world: World = {
    sandbox,
    downloads: () => downloads,
    letGo,
    cached: () => list("_npx"),
    leftovers: () => list("_plugboard"),
    npx: async (...args) => {
      const { stdout } = await promisify(execFile)("npx", ["-y", "mcp-acme@1.0.0", ...args], {
        cwd: "/",
        env: sandbox.env(),
      });
      return stdout.trim();
    },
    async [Symbol.asyncDispose]() {
      letGo();
      await registry[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
  worlds.push(world);
  return world;
}

function statesIn(events: readonly HostEvent[]): ServerState[] {
  return events.flatMap((event) => (event.type === "server.state" ? [event] : []));
}

const connectIn = async ({ sandbox }: World, entry: object = {}): Promise<Host> =>
  hostIn(sandbox, { servers: { acme: { ...ENTRY, ...entry } } });

describe("a package that is not in npm's cache", () => {
  test(
    "is installed first, and then started without npx",
    async () => {
      const world = await createWorld();
      await using host = await connectIn(world);
      const events = eventsOf(host);
      await host.connect("acme");
      const states = statesIn(events);
      expect(states.map(({ state }) => state).filter((state, at, all) => state !== all[at - 1])).toEqual([
        "connecting",
        "installing",
        "connecting",
        "connected",
      ]);
      expect(states.find(({ state }) => state === "installing")).toMatchObject({
        installing: { runner: "npx", package: "mcp-acme@1.0.0" },
      });
      expect((await host.config.explain("acme")).reasons.join("\n")).toContain(
        "from npm's cache, without npx",
      );
      expect(await world.leftovers()).toEqual([]);
      expect(await world.npx("--hello")).toBe("hello");
      expect(world.downloads()).toBe(1);
    },
    SLOW,
  );

  test(
    "is shown with runner, package, elapsed time and last line of output while it is installed",
    async () => {
      const world = await createWorld({ held: true });
      await using host = await connectIn(world);
      const connected = host.connect("acme");
      await eventually(() => expect(world.downloads()).toBe(1));
      await eventually(() => {
        const [view] = host.servers();
        expect(view).toMatchObject({
          state: "installing",
          because: expect.stringMatching(/^npx is installing mcp-acme@1\.0\.0 \(\d+ s\): npm http /),
          installing: { runner: "npx", package: "mcp-acme@1.0.0", elapsedMs: expect.any(Number) },
        });
      });
      world.letGo();
      await connected;
      expect(host.servers()[0]?.installing).toBeUndefined();
    },
    SLOW,
  );

  test(
    "is installed once by two hosts that need it at the same time",
    async () => {
      const world = await createWorld({ held: true });
      await using one = await connectIn(world);
      await using other = await connectIn(world);
      const both = [one.connect("acme"), other.connect("acme")];
      await eventually(() => {
        expect(world.downloads()).toBe(1);
        expect([one, other].map((host) => host.servers()[0]?.state)).toEqual(["installing", "installing"]);
      });
      world.letGo();
      await Promise.all(both);
      expect(world.downloads()).toBe(1);
    },
    SLOW,
  );

  test(
    "leaves nothing behind if the host is closed during the installation",
    async () => {
      const world = await createWorld({ held: true });
      await world.sandbox.writeHome(".npm/_npx/other/package.json", {});
      {
        await using host = await connectIn(world);
        const failed = failureOf(host.connect("acme"));
        await eventually(() => expect(world.downloads()).toBe(1));
        await host.close();
        expect(await failed).toMatchObject({ code: "HOST_CLOSED" });
      }
      expect(findStragglers(`HOME=${world.sandbox.home}`)).toEqual([]);
      expect(await world.cached()).toEqual(["other"]);
      expect(await world.leftovers()).toEqual([]);
      world.letGo();
      expect(await world.npx("--hello")).toBe("hello");
    },
    SLOW,
  );

  test(
    "is limited by installTimeout, and leaves nothing behind if it is exceeded",
    async () => {
      const world = await createWorld({ held: true });
      await using host = await connectIn(world, { installTimeout: 1 });
      const { code, message, hint } = await failureOf(host.connect("acme"));
      expect({ code, message }).toEqual({
        code: "INSTALL_TIMEOUT",
        message: 'Failed to connect to "acme": npx did not finish installing mcp-acme@1.0.0 within 1 ms',
      });
      expect(hint).toMatch(/The limit is 1 ms: "installTimeout" in /);
      expect(await world.cached()).toEqual([]);
      expect(await world.leftovers()).toEqual([]);
      expect(findStragglers(`HOME=${world.sandbox.home}`)).toEqual([]);
    },
    SLOW,
  );

  test(
    "fails with npm's own message if the package does not exist",
    async () => {
      const world = await createWorld();
      await using host = await connectIn(world, { args: ["-y", "mcp-nothing@1.0.0"] });
      const { code, message } = await failureOf(host.connect("acme"));
      expect(code).toBe("INSTALL_FAILED");
      expect(message).toMatch(
        /npx could not install mcp-nothing@1\.0\.0: it exited with code 1[\s\S]*npm error code E404/,
      );
      expect(message).not.toMatch(/npm http|npm notice|Log files/);
    },
    SLOW,
  );

  test.each([
    ["by name", ["-y", "mcp-acme"]],
    ["by tag", ["-y", "mcp-acme@latest"]],
    ["with --package", ["--yes", "--package=mcp-acme@1.0.0", "--", "mcp-acme"]],
  ])(
    "is installed first if the command names it %s",
    async (_, args) => {
      const world = await createWorld();
      await using host = await connectIn(world, { args });
      const events = eventsOf(host);
      await host.connect("acme");
      expect(statesIn(events).map(({ state }) => state)).toContain("installing");
      expect(await world.cached()).toHaveLength(1);
    },
    SLOW,
  );
});

test(
  "a folder that npx would treat as empty is filled under npm's own lock",
  async () => {
    const world = await createWorld({ held: true });
    await using host = await connectIn(world);
    const connected = host.connect("acme");
    await eventually(() => expect(world.downloads()).toBe(1));
    const hash = (await world.leftovers()).find((name) => !name.endsWith(".lock")) ?? "";
    await world.sandbox.writeHome(`.npm/_npx/${hash}/package.json`, {});
    await mkdir(join(world.sandbox.home, ".npm", "_npx", hash, "concurrency.lock"));
    world.letGo();
    const staged = join(world.sandbox.home, ".npm", "_plugboard", hash, "_npx", hash);
    await eventually(async () =>
      expect(await readdir(join(staged, "node_modules"))).toContain(".package-lock.json"),
    );
    await rm(join(world.sandbox.home, ".npm", "_npx", hash, "concurrency.lock"), { recursive: true });
    await connected;
    const filled = await readdir(join(world.sandbox.home, ".npm", "_npx", hash));
    expect(filled.toSorted()).toEqual(["node_modules", "package-lock.json", "package.json"]);
    expect(await world.npx("--hello")).toBe("hello");
    expect(world.downloads()).toBe(1);
  },
  SLOW,
);

describe("a package that npm left half installed", () => {
  /** Installs the package with npx, then removes a part of it, as if npx had been killed. */
  async function breakPackage(world: World, what: string): Promise<string> {
    await world.npx("--hello");
    const [hash = ""] = await world.cached();
    const folder = join(world.sandbox.home, ".npm", "_npx", hash);
    await rm(join(folder, what), { recursive: true });
    return folder;
  }

  test.each([
    ["package.json", "package.json is missing"],
    ["node_modules/.package-lock.json", "node_modules/.package-lock.json is missing"],
    ["node_modules/mcp-acme", "node_modules/mcp-acme is missing"],
  ])(
    "without %s is reported, and works again once it is repaired",
    async (what, because) => {
      const world = await createWorld();
      const folder = await breakPackage(world, what);
      await using host = await connectIn(world);
      const failure = await failureOf(host.connect("acme"));
      expect(failure).toMatchObject({
        code: "INSTALL_BROKEN",
        message: `Failed to connect to "acme": npm's copy of mcp-acme@1.0.0 is incomplete (${because})`,
      });
      expect(failure.hint).toContain(folder);
      expect(await host.doctor.checkPackages()).toEqual([
        { server: "acme", package: "mcp-acme@1.0.0", folder, because },
      ]);
      expect(await host.doctor.repairPackages("acme")).toHaveLength(1);
      expect(await world.cached()).toEqual([]);
      await host.connect("acme");
      expect(await host.doctor.checkPackages()).toEqual([]);
      expect(await world.npx("--hello")).toBe("hello");
    },
    SLOW,
  );

  test(
    "makes plain npx of npm 11 fail, while npm 10 installs it again",
    async () => {
      const world = await createWorld();
      await breakPackage(world, "package.json");
      const { stdout } = await promisify(execFile)("npm", ["--version"]);
      const printed = await world.npx("--hello").catch(({ stderr }: { stderr: string }) => stderr);
      expect(printed).toMatch(stdout.startsWith("10.") ? /^hello$/ : /Could not read package\.json/);
    },
    SLOW,
  );

  test(
    "does not count as broken while npm works in its folder, and the start waits for npm",
    async () => {
      const world = await createWorld();
      const folder = await breakPackage(world, "package.json");
      await mkdir(join(folder, "concurrency.lock"));
      await using host = await connectIn(world);
      const connected = host.connect("acme");
      await eventually(() =>
        expect(host.servers()[0]?.installing?.output).toBe("waiting for another npx process to install it"),
      );
      await world.sandbox.writeHome(folder.slice(world.sandbox.home.length + 1).concat("/package.json"), {
        dependencies: { "mcp-acme": "^1.0.0" },
      });
      await rm(join(folder, "concurrency.lock"), { recursive: true });
      await connected;
    },
    SLOW,
  );
});
