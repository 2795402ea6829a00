import { expect, test } from "vitest";
import { eventually } from "../flow/host-in.ts";
import { daemonIn } from "../support/daemon-in.ts";
import { runCli, startCli } from "../support/run-cli.ts";
import { createSandboxInCi, type Sandbox } from "../support/sandbox.ts";

/** A server with a tool that keeps memory. */
const SERVER = `
const kept = [];
const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const results = {
    initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "leaks", version: "1" } }),
    "tools/list": () => ({ tools: [{ name: "keep", inputSchema: { type: "object" } }] }),
    "tools/call": () => {
      kept.push(Buffer.alloc((params.arguments.mb ?? 0) * 1024 * 1024, 1));
      return { content: [{ type: "text", text: String(process.pid) }] };
    },
    ping: () => ({}),
  };
  if (id === undefined) return;
  say(results[method] ? { id, result: results[method]() } : { id, error: { code: -32601, message: "no" } });
}).on("close", () => process.exit(0));`;

interface Process {
  readonly server: string;
  readonly pid: number;
  readonly folder: string;
  readonly memoryBytes: number;
  readonly limitBytes: number;
  readonly clients: number;
}

interface Processes {
  readonly daemon: boolean;
  readonly limitBytes: number | null;
  readonly servers: readonly Process[];
  readonly others: readonly {
    readonly pid: number;
    readonly command: string;
    readonly host: { readonly pid: number };
  }[];
  readonly events: readonly { readonly server: string; readonly why: string }[];
}

async function withServers(settings: Record<string, unknown> = {}): Promise<Sandbox> {
  const sandbox = await createSandboxInCi();
  const file = await sandbox.writeHome("leaks.cjs", SERVER);
  const leaks = { command: process.execPath, args: [file], maxMemoryMb: 200 };
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { leaks, calm: { command: process.execPath, args: [file] } },
  });
  await sandbox.writeHome(".plugboard/settings.json", settings);
  return sandbox;
}

const call = async (sandbox: Sandbox, server: string, mb = 0): Promise<string> =>
  (await runCli(["call", server, "keep", `mb:=${mb}`], { sandbox })).stdout.trim();
const processes = async (sandbox: Sandbox): Promise<Processes> =>
  (await runCli(["ps", "--json"], { sandbox })).json() as Processes;

test("`ps` shows the daemon's servers with their owner, memory and limits", async () => {
  await using sandbox = await withServers({ totalMemoryMb: 1_000 });
  await using _ = await daemonIn(sandbox);
  const pid = Number(await call(sandbox, "leaks"));
  const shown = await processes(sandbox);
  expect(shown).toMatchObject({ daemon: true, limitBytes: 1_000 * 1024 ** 2, events: [] });
  expect(shown.servers).toMatchObject([
    { server: "leaks", pid, folder: sandbox.project, limitBytes: 200 * 1024 ** 2 },
  ]);
  expect(shown.servers[0]?.memoryBytes).toBeGreaterThan(1024 ** 2);
  const { stdout } = await runCli(["ps"], { sandbox });
  expect(stdout).toMatch(/^SERVER +PID +MEMORY +LIMIT +CPU +CLIENTS +IDLE +OWNER$/m);
  expect(stdout).toContain("of 1000.0 MB");
});

test("a server that uses more than `maxMemoryMb` is restarted, and others keep running", async () => {
  await using sandbox = await withServers();
  await using _ = await daemonIn(sandbox);
  const [calm, before] = [await call(sandbox, "calm"), await call(sandbox, "leaks", 100)];
  expect(await call(sandbox, "leaks")).toBe(before);
  await call(sandbox, "leaks", 250);
  await eventually(async () => {
    const { events } = await processes(sandbox);
    expect(events).toMatchObject([{ server: "leaks" }]);
    expect(events[0]?.why).toMatch(/used \d+ MB of memory, more than its limit of 200 MB/);
  });
  expect(await call(sandbox, "leaks")).not.toBe(before);
  expect(await call(sandbox, "calm")).toBe(calm);
});

test("over `totalMemoryMb`, the server that was not used for the longest time stops", async () => {
  await using sandbox = await withServers({ totalMemoryMb: 300 });
  await using _ = await daemonIn(sandbox);
  await call(sandbox, "calm", 150);
  await call(sandbox, "leaks", 140);
  await eventually(async () => {
    const { events, servers } = await processes(sandbox);
    expect(events.map(({ server }) => server)).toEqual(["calm"]);
    expect(servers.map(({ server }) => server)).toEqual(["leaks"]);
  });
});

test.runIf(process.platform === "linux")(
  "`ps` shows the servers that other programs run, and who runs them",
  async () => {
    await using sandbox = await withServers();
    await using alone = startCli(["serve", "--stdio", "--alone"], { sandbox });
    alone.child.stdin.write(
      `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "calm_keep", arguments: {}, _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} } } })}\n`,
    );
    await eventually(async () => {
      const { daemon, servers, others } = await processes(sandbox);
      expect([daemon, servers]).toEqual([false, []]);
      const ours = others.filter(({ host }) => host.pid === alone.child.pid);
      expect(ours.map(({ command }) => command)).toContainEqual(expect.stringContaining("leaks.cjs"));
    });
    alone.child.stdin.end();
    await alone.ended;
  },
);
