import { mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { findDaemon } from "../../src/find-daemon.lazy.ts";
import { nodeEnvironment } from "../../src/platform/node/index.ts";
import { LONGEST_MS, report } from "../durability/counts.ts";
import { daemonIn } from "../support/daemon-in.ts";
import { startCli } from "../support/run-cli.ts";
import { createSandboxInCi, type Sandbox } from "../support/sandbox.ts";

const SMALL = resolve("test/torture/small-server.mjs");
/** As large as published servers are. */
const USUAL = resolve("test/servers/tools-server.mjs");
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

async function withServers(program: string, count: number, settings: Record<string, unknown> = {}) {
  const sandbox = await createSandboxInCi();
  const names = Array.from({ length: count }, (_, index) => `s${index}`);
  const entry = { command: process.execPath, args: [program] };
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: Object.fromEntries(names.map((name) => [name, entry])),
  });
  await sandbox.writeHome(".plugboard/settings.json", settings);
  return { sandbox, names };
}

const daemonOf = (sandbox: Sandbox) =>
  findDaemon(nodeEnvironment({ cwd: sandbox.project, home: sandbox.home, env: sandbox.env() }));

/** Opens a conversation with the daemon for a folder. */
async function sessionIn(sandbox: Sandbox, folder: string) {
  const link = await daemonOf(sandbox).connect({ kind: "mcp", offer: {} }, folder);
  if (link === undefined) throw new Error("no daemon runs");
  let last = 0;
  return {
    async call(server: string): Promise<boolean> {
      const id = (last += 1);
      const params = { name: `${server}_echo`, arguments: { text: "hi" }, _meta: META };
      link.socket.send(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }));
      for (;;) {
        const line = await link.socket.nextLine();
        if (line === undefined) return false;
        if (!line.includes(`"id":${id}`)) continue;
        if (!line.includes("all are in use")) return line.includes('"text":"hi"');
        return this.call(server); // more servers are wanted at once than may run
      }
    },
    close: () => link.socket.close(),
  };
}

interface Processes {
  readonly servers: readonly { readonly pid: number; readonly memoryBytes: number | null }[];
}

test(
  "fifteen sessions with 34 servers each stay within the limits, and all their calls succeed",
  async () => {
    const [most, mostMb] = [24, 1_200];
    const { sandbox, names } = await withServers(SMALL, 34, { serverProcesses: most, totalMemoryMb: mostMb });
    await using _ = sandbox;
    await using daemon = await daemonIn(sandbox);
    expect(daemon.running).toBe(true);
    const done = new AbortController();
    const exceeded: unknown[] = [];
    const watching = (async () => {
      while (!done.signal.aborted) {
        const { servers } = (await daemonOf(sandbox).servers()) as unknown as Processes;
        const bytes = servers.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0);
        if (servers.length > most || bytes > mostMb * 1024 ** 2) exceeded.push([servers.length, bytes]);
        await new Promise((wake) => setTimeout(wake, 500));
      }
    })();
    const sessions = await Promise.all(
      Array.from({ length: 15 }, async (_unused, index) => {
        const folder = join(sandbox.home, `project-${index}`);
        await mkdir(join(folder, ".git"), { recursive: true });
        return sessionIn(sandbox, folder);
      }),
    );
    const outcomes = await Promise.all(
      sessions.map(async (session) => {
        const results: boolean[] = [];
        for (const name of names) results.push(await session.call(name));
        return results;
      }),
    );
    done.abort();
    await watching;
    for (const session of sessions) session.close();
    const passed = outcomes.flat().filter(Boolean).length;
    report(
      "calls of 15 sessions with 34 servers each, within the limits of memory and processes",
      passed,
      510,
    );
    expect({ passed, exceeded }).toEqual({ passed: 510, exceeded: [] });
  },
  LONGEST_MS,
);

/** Returns the memory of processes, where shared pages count in part, in bytes. */
async function shareOf(pids: readonly number[]): Promise<number> {
  const texts = pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => ""));
  const sizes = (await Promise.all(texts)).map((text) => Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0));
  return sizes.reduce((sum, size) => sum + size * 1024, 0);
}

const AGENTS = 20;
const SERVERS = 10;

/** Runs agents, each with a client that calls every server. Returns their memory and the number of server processes. */
async function runAgents(count: number, words: readonly string[]) {
  const { sandbox, names } = await withServers(USUAL, SERVERS);
  await using _ = sandbox;
  const daemon = words.includes("--alone") ? undefined : await daemonIn(sandbox);
  const clients = Array.from({ length: count }, () => startCli(["serve", "--stdio", ...words], { sandbox }));
  try {
    for (const { child } of clients) {
      const open = new Set(names.map((_name, id) => id));
      const all = new Promise<void>((resolveAll) =>
        createInterface({ input: child.stdout }).on("line", (line) => {
          open.delete((JSON.parse(line) as { readonly id: number }).id);
          if (open.size === 0) resolveAll();
        }),
      );
      for (const [id, name] of names.entries()) {
        const params = { name: `${name}_echo`, arguments: { text: "hi" }, _meta: META };
        child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`);
      }
      await all;
    }
    const pids = clients.flatMap(({ child }) => child.pid ?? []);
    const all = await processesBelow([...pids, ...(daemon === undefined ? [] : [daemon.pid])]);
    const servers = await Promise.all(
      all.map(async (pid) =>
        (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).includes(USUAL),
      ),
    );
    return { bytes: await shareOf(all), servers: servers.filter(Boolean).length };
  } finally {
    for (const { child, ended } of clients) {
      child.stdin.end();
      await ended;
    }
    await daemon?.[Symbol.asyncDispose]();
  }
}

/** Returns processes and everything that they started. */
async function processesBelow(roots: readonly number[]): Promise<readonly number[]> {
  const found = [...roots];
  for (const pid of found) {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
    found.push(...children.split(" ").filter(Boolean).map(Number));
  }
  return found;
}

test.runIf(process.platform === "linux")(
  "twenty agents with ten servers each share one process per server, and need a fifth of the memory",
  async () => {
    const shared = await runAgents(AGENTS, []);
    const some = 4;
    const alone = await runAgents(some, ["--alone"]);
    expect([shared.servers, alone.servers]).toEqual([SERVERS, SERVERS * some]);
    const part = shared.bytes / ((alone.bytes / some) * AGENTS);
    const isMet = part <= 0.2;
    report(
      "memory of twenty agents with ten servers each: at most a fifth of that without a daemon",
      Number(isMet),
      1,
      {
        worst: `${Math.round(part * 100)} %`,
      },
    );
    expect(part).toBeLessThanOrEqual(0.2);
  },
  LONGEST_MS,
);
