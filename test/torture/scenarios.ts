import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createHost, type Host, isHostError, type ToolResult } from "../../src/index.ts";
import { PATIENTLY } from "../flow/host-in.ts";
import { browse, type OauthServer } from "../support/oauth-server.ts";
import type { Sandbox } from "../support/sandbox.ts";

/** Something that a user does from start to end. */
export interface Scenario {
  /** Its runs revoke the tokens of all others. */
  readonly isAlone?: boolean;
  /** Searches for the files of every tool. Otherwise only of a few, because each access can fail. */
  readonly everywhere?: boolean;
  /** More variables for the host. */
  readonly env?: Readonly<Record<string, string>>;
  /** How much faster time passes, for scenarios with long waits. */
  readonly timePasses?: number;
  /** Runs before the host is created, without failures. */
  prepare?(sandbox: Sandbox, place: Place): Promise<unknown>;
  run(host: Host, sandbox: Sandbox, place: Place): Promise<unknown>;
  /** The servers that it removes if it succeeds. All others must still be declared afterwards. */
  readonly removes?: string;
  /** Called after success: checks that a later host finds the result. */
  isDone?(later: Host): unknown;
}

export interface Place {
  /** The URLs of the same tools over HTTP, without and with a sign-in. */
  readonly url: string;
  readonly oauth: OauthServer;
}

/** Needs a system with a shell, which starts forty times as fast as Node. */
export const SMALL: { readonly command: string; readonly args: readonly string[] } = {
  command: "/bin/sh",
  args: [fileURLToPath(new URL("small-server.sh", import.meta.url))],
};
const MINE = { mcpServers: { small: SMALL } };
/** It ignores the end of its input and SIGTERM, and leaves a child behind. */
const STUBBORN = {
  command: "/bin/sh",
  args: ["-c", `trap '' TERM; sleep 60 & . "$0"; while :; do sleep 60; done`, ...SMALL.args],
};

const CODEX = `# mine\n[mcp_servers.mine]\ncommand = "/bin/sh"\nargs = ${JSON.stringify(SMALL.args)}\n`;
const WITH_KEYCHAIN = { PLUGBOARD_KEYCHAIN: "", DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" };

const withMine = (sandbox: Sandbox): Promise<unknown> => sandbox.writeHome(".plugboard/mcp.json", MINE);
const withProject = (sandbox: Sandbox): Promise<unknown> => sandbox.writeProject(".mcp.json", MINE);
const withCursor = (sandbox: Sandbox): Promise<unknown> => sandbox.writeHome(".cursor/mcp.json", MINE);
const withRemote = (sandbox: Sandbox, { url }: Place): Promise<unknown> =>
  sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { remote: { type: "http", url } } });
const withNotes = (sandbox: Sandbox, { oauth }: Place): Promise<unknown> =>
  sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { notes: { type: "http", url: oauth.url } } });

const approve = async (host: Host): Promise<unknown> =>
  host.approvals.approve("small", host.approvals.request("small").hash);
const hasServer = (name: string) => (host: Host) =>
  host.servers({ all: true }).some((one) => one.name === name);
const isEnabled = (host: Host): boolean | undefined =>
  host.servers({ all: true }).find(({ name }) => name === "small")?.enabled;
const sourcesOf = (host: Host, server: string): string[] =>
  host.servers({ all: true }).flatMap(({ name, source }) => (name === server ? [source.scope] : []));
const isApproved = (host: Host): boolean => host.approvals.list().some(({ server }) => server === "small");

/** A returned result must be correct. */
const echo = async (host: Host, text: string, server = "small"): Promise<ToolResult> => {
  const result = await host.call(server, "echo", { text });
  if (result.isError || !result.text.includes(text)) throw new Error(`answered ${JSON.stringify(result)}`);
  return result;
};

/** Runs all in parallel, and fails with the first failure. */
const allOf = async (works: readonly Promise<unknown>[]): Promise<void> => {
  const outcomes = await Promise.allSettled(works);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
};
/** Runs one after the other, even if the first fails. */
const inTurn = async (first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<void> => {
  const [outcome] = await Promise.allSettled([first()]);
  await second();
  if (outcome.status === "rejected") throw outcome.reason;
};

/** The user's browser, which follows every redirect and grants everything. */
const signIn = (host: Host): Promise<unknown> =>
  host.signIns.login("notes", {
    onSignIn(url, { opened }) {
      if (!opened) void browse(url).catch(() => {}); // there may be no listener by then
    },
  });

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "look at what is there": {
    everywhere: true,
    prepare: withMine,
    run: async (host) => host.servers({ all: true }),
  },
  "look over everything": {
    everywhere: true,
    prepare: withProject,
    run: async (host) => [
      host.doctor.diagnose(),
      await host.config.explain("small"),
      await host.approvals.inspect("small"),
    ],
  },
  "list tools": { prepare: withMine, run: (host) => host.tools(PATIENTLY) },
  "list tools afresh": { prepare: withMine, run: (host) => host.tools("small", { refresh: true }) },
  "call a tool": { prepare: withMine, run: (host) => echo(host, "hi") },
  "call a tool twice": {
    prepare: withMine,
    run: (host) =>
      inTurn(
        () => echo(host, "a"),
        () => echo(host, "b"),
      ),
  },
  "call several at once": {
    prepare: withMine,
    run: (host) => allOf(["a", "b", "c"].map((text) => echo(host, text))),
  },
  "call a remote tool": { prepare: withRemote, run: (host) => echo(host, "hi", "remote") },
  "list remote tools": { prepare: withRemote, run: (host) => host.tools("remote") },
  "an answer that goes to a file": { prepare: withMine, run: (host) => host.call("small", "long") },
  "a server that crashes, and the next call": {
    prepare: withMine,
    run: (host) =>
      inTurn(
        () => host.call("small", "crash").catch(expectHostError),
        () => echo(host, "again"),
      ),
  },
  "a server whose tools change": {
    prepare: withMine,
    run: async (host) => [await host.call("small", "grow"), await host.tools("small", { refresh: true })],
  },
  "a server that will not go": {
    timePasses: 10,
    prepare: (sandbox) => sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { small: STUBBORN } }),
    run: async (host) => [await echo(host, "hi"), await host.close("small")],
  },
  "read a resource": { prepare: withMine, run: (host) => host.resources.read("small", "note://one") },
  "follow a resource": {
    prepare: withMine,
    async run(host) {
      const stop = await host.resources.subscribe("small", "note://one", () => {});
      await stop();
    },
  },
  "list what is offered": {
    prepare: withMine,
    run: async (host) => [
      await host.resources.list(),
      await host.resources.templates(),
      await host.prompts.list(),
    ],
  },
  "fill in a prompt": {
    prepare: withMine,
    run: (host) => host.prompts.get("small", "greet", { who: "you" }),
  },
  "test a server": { prepare: withMine, run: (host) => host.doctor.test("small") },
  "connect to all": { prepare: withMine, run: (host) => host.connectAll({ timeoutMs: 5_000 }) },
  "add to one's own": {
    run: (host) => host.config.add({ name: "new", scope: "user", server: SMALL }),
    isDone: hasServer("new"),
  },
  "add to the project": {
    prepare: withProject,
    run: (host) => host.config.add({ name: "new", scope: "project", server: SMALL }),
    isDone: hasServer("new"),
  },
  remove: {
    prepare: withMine,
    run: (host) => host.config.remove("small"),
    removes: "small",
    isDone: (later) => !hasServer("small")(later),
  },
  "switch off and on": {
    prepare: withMine,
    run: async (host) => [
      await host.config.setEnabled("small", false),
      await host.config.setEnabled("small", true),
    ],
    isDone: isEnabled,
  },
  "switch off another tool's": {
    prepare: withCursor,
    run: (host) => host.config.setEnabled("small", false),
    isDone: (later) => !isEnabled(later),
  },
  move: {
    prepare: withMine,
    run: (host) => host.config.move("small", "project"),
    isDone: (later) => sourcesOf(later, "small").join() === "project",
  },
  import: {
    prepare: withCursor,
    run: (host) => host.config.importFrom({ tool: "cursor", scope: "user" }),
    isDone: hasServer("small"),
  },
  export: {
    prepare: withMine,
    run: async (host) =>
      host.config.applyExport(await host.config.planExport({ tool: "cursor", scope: "user" })),
  },
  "export to a file that is there already": {
    prepare: (sandbox) => allOf([withMine(sandbox), sandbox.writeHome(".codex/config.toml", CODEX)]),
    run: async (host) =>
      host.config.applyExport(await host.config.planExport({ tool: "codex", scope: "user" })),
    isDone: hasServer("mine"),
  },
  "approve and call": {
    prepare: withProject,
    run: async (host) => [await approve(host), await echo(host, "hi")],
    isDone: isApproved,
  },
  "approve and take it back": {
    prepare: withProject,
    run: async (host) => [await approve(host), await host.approvals.revoke("small")],
    isDone: (later) => !isApproved(later),
  },
  "pin what changed": {
    prepare: withProject,
    async run(host) {
      await approve(host);
      await host.call("small", "grow");
      await host.tools("small", { refresh: true });
      const [report] = await host.pins.review("small");
      if (report !== undefined) await host.pins.accept("small", report.hash);
    },
  },
  "keep a secret": {
    run: (host) => host.secrets.store("token", "s3cret"),
    isDone: async (later) => (await later.secrets.read("token")) === "s3cret",
  },
  "keep a secret in the system's keychain": {
    env: WITH_KEYCHAIN,
    run: async (host) => [await host.secrets.store("token", "s3cret"), await host.secrets.read("token")],
    isDone: async (later) => (await later.secrets.read("token")) === "s3cret",
  },
  "forget a secret": {
    run: async (host) => [await host.secrets.store("token", "s3cret"), await host.secrets.remove("token")],
    isDone: async (later) => (await later.secrets.read("token")) === undefined,
  },
  "a secret for a server": {
    prepare: (sandbox) =>
      sandbox.writeHome(".plugboard/mcp.json", {
        mcpServers: { small: { ...SMALL, env: { TOKEN: "keychain:token", OTHER: "!echo hi" } } },
      }),
    run: async (host) => [await host.secrets.store("token", "s3cret"), await host.connect("small")],
  },
  "sign in and call": {
    isAlone: true,
    prepare: withNotes,
    run: async (host) => [await signIn(host), await echo(host, "hi", "notes")],
    isDone: async (later) => (await later.signIns.list()).length === 1,
  },
  "renew a sign-in": {
    isAlone: true,
    prepare: signedIn,
    run: (host) => echo(host, "hi", "notes"),
    isDone: (later) => echo(later, "hi", "notes"),
  },
  "sign out": {
    isAlone: true,
    prepare: signedIn,
    run: (host) => host.signIns.logout("notes"),
    isDone: async (later) => (await later.signIns.list()).length === 0,
  },
  "read the files again": {
    everywhere: true,
    prepare: withMine,
    async run(host, sandbox) {
      await host.connect("small");
      await sandbox.writeHome(".plugboard/mcp.json", {
        mcpServers: { small: { ...SMALL, env: { CHANGED: "1" } }, other: SMALL },
      });
      await host.reload();
      await host.reload({ hard: true });
    },
    isDone: hasServer("other"),
  },
  "watch the files": {
    timePasses: 20,
    prepare: withMine,
    async run(host, sandbox) {
      const stop = host.config.watch();
      await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { small: SMALL, other: SMALL } });
      while (!hasServer("other")(host)) await wait(10);
      stop();
    },
  },
  search: { prepare: withMine, run: (host) => host.search("say something") },
  "an agent's session": {
    prepare: withMine,
    async run(host) {
      const session = host.session();
      const tools = await session.tools(PATIENTLY);
      await allOf(tools.slice(0, 2).map((tool) => tool.execute({ text: "hi" })));
    },
  },
  logs: {
    prepare: withMine,
    run: async (host) => [
      await host.call("small", "complain"),
      await host.close("small"),
      await host.doctor.logs("small"),
    ],
  },
  "close while it starts": {
    prepare: withMine,
    run: (host) => allOf([host.close(), echo(host, "hi").catch(expectHostError)]),
  },
};

async function signedIn(sandbox: Sandbox, place: Place): Promise<void> {
  await withNotes(sandbox, place);
  const where = { cwd: sandbox.project, home: sandbox.home, env: sandbox.env() };
  await using host = await createHost(where);
  await host.signIns.login("notes", { browser: false, onSignIn: (url) => void browse(url) });
  await place.oauth.control("expire");
}

/** Checks that a failure is one of our own errors. */
function expectHostError(error: unknown): void {
  if (!isHostError(error) || error.code === "INTERNAL_BUG") throw error;
}
