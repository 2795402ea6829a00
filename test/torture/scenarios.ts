import { fileURLToPath } from "node:url";
import type { Host, HostOptions } from "../../src/index.ts";
import type { Sandbox } from "../support/sandbox.ts";

/** Something a person does from beginning to end. */
export interface Scenario {
  readonly options?: HostOptions;
  /** Before the host is made, with nothing failing. */
  prepare?(sandbox: Sandbox, place: Place): Promise<unknown>;
  run(host: Host, sandbox: Sandbox): Promise<unknown>;
}

export interface Place {
  /** Where the same tools are to be had over HTTP. */
  readonly url: string;
}

export const SMALL: { readonly command: string; readonly args: readonly string[] } = {
  command: process.execPath,
  args: [fileURLToPath(new URL("small-server.mjs", import.meta.url))],
};
const MINE = { mcpServers: { small: SMALL } };

const withMine = (sandbox: Sandbox): Promise<unknown> => sandbox.writeHome(".plugboard/mcp.json", MINE);
const withProject = (sandbox: Sandbox): Promise<unknown> => sandbox.writeProject(".mcp.json", MINE);
const withRemote = (sandbox: Sandbox, { url }: Place): Promise<unknown> =>
  sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { remote: { type: "http", url } } });

const approve = async (host: Host): Promise<unknown> => host.approve("small", host.approval("small").hash);

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "look at what is there": { prepare: withMine, run: async (host) => host.servers({ all: true }) },
  "look over everything": {
    prepare: withProject,
    run: async (host) => [host.diagnose(), await host.explain("small")],
  },
  "list tools": { prepare: withMine, run: (host) => host.tools() },
  "list tools afresh": { prepare: withMine, run: (host) => host.tools("small", { refresh: true }) },
  "call a tool": { prepare: withMine, run: (host) => host.call("small", "echo", { text: "hi" }) },
  "call a tool twice": {
    prepare: withMine,
    run: async (host) => [
      await host.call("small", "echo", { text: "a" }).catch(() => {}),
      await host.call("small", "echo", { text: "b" }),
    ],
  },
  "call several at once": {
    prepare: withMine,
    run: (host) => Promise.allSettled(["a", "b", "c"].map((text) => host.call("small", "echo", { text }))),
  },
  "call a remote tool": { prepare: withRemote, run: (host) => host.call("remote", "echo", { text: "hi" }) },
  "list remote tools": { prepare: withRemote, run: (host) => host.tools("remote") },
  "an answer that goes to a file": { prepare: withMine, run: (host) => host.call("small", "long") },
  "a server that crashes, and the next call": {
    prepare: withMine,
    run: async (host) => [
      await host.call("small", "crash").catch(() => {}),
      await host.call("small", "echo", { text: "again" }),
    ],
  },
  "a server whose tools change": {
    prepare: withMine,
    run: async (host) => [await host.call("small", "grow"), await host.tools("small", { refresh: true })],
  },
  "read a resource": { prepare: withMine, run: (host) => host.readResource("small", "note://one") },
  "list what is offered": {
    prepare: withMine,
    run: async (host) => [await host.resources(), await host.resourceTemplates(), await host.prompts()],
  },
  "fill in a prompt": { prepare: withMine, run: (host) => host.getPrompt("small", "greet", { who: "you" }) },
  "test a server": { prepare: withMine, run: (host) => host.test("small") },
  "connect to all": { prepare: withMine, run: (host) => host.connectAll({ timeoutMs: 5_000 }) },
  "add to one's own": { run: (host) => host.add({ name: "new", scope: "user", server: SMALL }) },
  "add to the project": {
    prepare: withProject,
    run: (host) => host.add({ name: "new", scope: "project", server: SMALL }),
  },
  remove: { prepare: withMine, run: (host) => host.remove("small") },
  "switch off and on": {
    prepare: withMine,
    run: async (host) => [await host.setEnabled("small", false), await host.setEnabled("small", true)],
  },
  "switch off another tool's": {
    prepare: (sandbox) => sandbox.writeHome(".cursor/mcp.json", MINE),
    run: (host) => host.setEnabled("small", false),
  },
  move: { prepare: withMine, run: (host) => host.move("small", "project") },
  import: {
    prepare: (sandbox) => sandbox.writeHome(".cursor/mcp.json", MINE),
    run: (host) => host.importFrom({ tool: "cursor", scope: "user" }),
  },
  export: {
    prepare: withMine,
    run: async (host) => host.applyExport(await host.planExport({ tool: "cursor", scope: "user" })),
  },
  "approve and call": {
    prepare: withProject,
    run: async (host) => [await approve(host), await host.call("small", "echo", { text: "hi" })],
  },
  "approve and take it back": {
    prepare: withProject,
    run: async (host) => [await approve(host), await host.revoke("small")],
  },
  "pin what changed": {
    prepare: withProject,
    async run(host) {
      await approve(host);
      await host.call("small", "grow");
      await host.tools("small", { refresh: true });
      const [report] = await host.pins("small");
      if (report !== undefined) await host.acceptPins("small", report.hash);
    },
  },
  "keep a secret": {
    run: async (host) => [
      await host.storeSecret("token", "s3cret"),
      await host.readSecret("token"),
      await host.removeSecret("token"),
    ],
  },
  "a secret for a server": {
    prepare: (sandbox) =>
      sandbox.writeHome(".plugboard/mcp.json", {
        mcpServers: { small: { ...SMALL, env: { TOKEN: "keychain:token", OTHER: "!echo hi" } } },
      }),
    run: async (host) => [await host.storeSecret("token", "s3cret"), await host.connect("small")],
  },
  "read the files again": {
    prepare: withMine,
    async run(host, sandbox) {
      await host.connect("small");
      await sandbox.writeHome(".plugboard/mcp.json", {
        mcpServers: { small: { ...SMALL, env: { CHANGED: "1" } }, other: SMALL },
      });
      await host.reload();
      await host.reload({ hard: true });
    },
  },
  search: { prepare: withMine, run: (host) => host.search("say something") },
  "an agent's session": {
    prepare: withMine,
    async run(host) {
      const session = host.session();
      const tools = await session.tools();
      await Promise.all(tools.slice(0, 2).map((tool) => tool.execute({ text: "hi" })));
    },
  },
  logs: {
    prepare: withMine,
    run: async (host) => [await host.connect("small"), await host.close("small"), await host.logs("small")],
  },
  "close while it starts": {
    prepare: withMine,
    run: (host) => Promise.allSettled([host.call("small", "echo", { text: "hi" }), host.close()]),
  },
};
