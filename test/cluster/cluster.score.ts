import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { report as reportScore } from "../durability/counts.ts";
import { startDatabaseProxy } from "../support/database-proxy.ts";
import { noPostgres } from "../support/postgres.ts";
import { type ClusterWorld, createClusterWorld, type ProcessNode } from "./cluster-world.ts";
import { type LoadReport, startLoad } from "./load.ts";

/** What `npm run score` runs. The environment variable makes a run shorter. */
const ROUNDS = Number(process.env["CLUSTER_ROUNDS"] ?? Number.NaN);
const roundsOf = (whole: number): number => (Number.isNaN(ROUNDS) ? whole : Math.min(whole, ROUNDS));
const LONGEST_MS = 3_600_000;
const KILLS = "kills of a gateway under load (kill -9): no safe request lost or doubled, no session lost";
const RESTARTS =
  "rolling restarts of three gateways with 200 clients: nothing lost, doubled or interrupted, no session lost";
const FAILURES =
  "gateways stopped, cut off, with a wrong clock, or behind HAProxy: nothing lost or doubled, no session lost";
const FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
const DRAIN = { cluster: { listen: "127.0.0.1:0", drainWaitMs: 5_000, drainCallsMs: 25_000 } };

function show(what: string, report: LoadReport): void {
  const { lost, doubled, notFound, answered, interrupted, failures, longestMs } = report;
  console.log(
    `${what}: ${answered} answered, ${lost.length} lost, ${doubled.length} doubled, ${notFound} times 404, ` +
      `${interrupted} calls interrupted, longest read ${Math.round(longestMs)} ms`,
  );
  for (const failure of new Set(failures))
    console.log(`${failures.filter((other) => other === failure).length} times: ${failure}`);
}

/** Reports rounds of a line, and fails the test if what the clients saw is not as it must be. */
function judge(line: string, rounds: number, report: LoadReport, expected: Partial<LoadReport> = {}): void {
  const wanted = { lost: [], doubled: [], notFound: 0, ...expected };
  const isMet = Object.entries(wanted).every(
    ([name, value]) => JSON.stringify(report[name as keyof LoadReport]) === JSON.stringify(value),
  );
  reportScore(line, isMet ? rounds : 0, rounds, { worst: `${Math.round(report.longestMs)} ms` });
  expect(report).toMatchObject(wanted);
}

/** Sends a node nothing more when it is not ready, as the health checks of a balancer do. */
async function leaveBalancer({ balancer }: ClusterWorld, node: ProcessNode | undefined): Promise<void> {
  const isReady = (): Promise<boolean> =>
    fetch(`http://${node?.internal}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (await isReady()) await new Promise((resolve) => setTimeout(resolve, 50));
  balancer.nodes = balancer.nodes.filter((address) => address !== node?.address);
}

async function threeNodes(world: ClusterWorld): Promise<ProcessNode[]> {
  return [await world.startProcess(), await world.startProcess(), await world.startProcess()];
}

const people = async (world: ClusterWorld, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => world.token(`person${index}`)));

describe.skipIf(noPostgres !== undefined)("three nodes", () => {
  test(
    "one is killed under load, again and again",
    async () => {
      await using world = await createClusterWorld();
      const nodes = await threeNodes(world);
      const load = await startLoad(world, {
        tokens: await people(world, 8),
        legacy: 12,
        modern: 12,
        pauseMs: 50,
      });
      for (let round = 0; round < roundsOf(50); round += 1) {
        await load.answers(60);
        const killed = nodes.shift();
        killed?.kill("SIGKILL");
        await load.answers(60);
        await killed?.[Symbol.asyncDispose]();
        nodes.push(await world.startProcess());
      }
      const report = await load.stop();
      show(`kill -9 × ${roundsOf(50)}`, report);
      judge(KILLS, roundsOf(50), report);
      for (const node of nodes) await node[Symbol.asyncDispose]();
    },
    LONGEST_MS,
  );

  test(
    "are restarted one after the other, with 100 legacy and 100 modern clients",
    async () => {
      await using world = await createClusterWorld(DRAIN);
      const nodes = await threeNodes(world);
      const load = await startLoad(world, {
        tokens: await people(world, 20),
        legacy: 100,
        modern: 100,
        pauseMs: 2_000,
      });
      for (let round = 0; round < roundsOf(20); round += 1)
        for (let index = 0; index < 3; index += 1) {
          await load.answers(30);
          const ending = nodes.shift();
          nodes.push(await world.startProcess());
          ending?.kill("SIGTERM");
          await leaveBalancer(world, ending);
          await ending?.cli.ended;
          await ending?.[Symbol.asyncDispose]();
        }
      const report = await load.stop();
      show(`rolling restart × ${roundsOf(20)}`, report);
      judge(RESTARTS, roundsOf(20), report, { interrupted: 0 });
      for (const node of nodes) await node[Symbol.asyncDispose]();
    },
    LONGEST_MS,
  );

  test(
    "one is stopped for 20 s and continued, and its sessions are taken over within 20 s",
    async () => {
      await using world = await createClusterWorld();
      const nodes = await threeNodes(world);
      const load = await startLoad(world, {
        tokens: await people(world, 6),
        legacy: 9,
        modern: 3,
        pauseMs: 100,
      });
      await load.answers(100);
      nodes[0]?.kill("SIGSTOP");
      world.balancer.nodes = world.balancer.nodes.filter((address) => address !== nodes[0]?.address);
      await new Promise((resolve) => setTimeout(resolve, 20_000));
      nodes[0]?.kill("SIGCONT");
      world.balancer.nodes.push(nodes[0]?.address ?? "");
      await load.answers(200);
      const report = await load.stop();
      show("stopped for 20 s", report);
      judge(FAILURES, 1, report);
      expect(report.longestMs).toBeLessThan(20_000);
      for (const node of nodes) await node[Symbol.asyncDispose]();
    },
    LONGEST_MS,
  );

  test(
    "one is cut off from the database, and its sessions are taken over within 20 s",
    async () => {
      await using world = await createClusterWorld();
      await using proxy = await startDatabaseProxy(world.databaseUrl);
      const nodes = [
        await world.startProcess({ database: proxy.url }),
        await world.startProcess(),
        await world.startProcess(),
      ];
      const load = await startLoad(world, {
        tokens: await people(world, 6),
        legacy: 9,
        modern: 3,
        pauseMs: 100,
      });
      await load.answers(100);
      proxy.cut();
      await new Promise((resolve) => setTimeout(resolve, 25_000));
      proxy.restore();
      await load.answers(200);
      const report = await load.stop();
      show("cut off for 25 s", report);
      judge(FAILURES, 1, report);
      expect(report.longestMs).toBeLessThan(20_000);
      for (const node of nodes) await node[Symbol.asyncDispose]();
    },
    LONGEST_MS,
  );

  test(
    "one has a clock that is two hours ahead, for the whole process",
    async () => {
      if (!existsSync(FAKETIME)) throw new Error("Install libfaketime, which this run needs.");
      await using world = await createClusterWorld();
      const env = { LD_PRELOAD: FAKETIME, FAKETIME: "+2h", FAKETIME_DONT_FAKE_MONOTONIC: "1" };
      const nodes = [
        await world.startProcess({ env }),
        await world.startProcess(),
        await world.startProcess(),
      ];
      const date = (await fetch(`http://${nodes[0]?.internal}/livez`)).headers.get("date") ?? "";
      expect(Date.parse(date) - Date.now()).toBeGreaterThan(7_000_000);
      const load = await startLoad(world, {
        tokens: await people(world, 6),
        legacy: 9,
        modern: 3,
        pauseMs: 100,
      });
      await load.answers(1_000);
      const report = await load.stop();
      show("a clock two hours ahead", report);
      judge(FAILURES, 1, report, { interrupted: 0 });
      for (const node of nodes) await node[Symbol.asyncDispose]();
    },
    LONGEST_MS,
  );

  test(
    "are behind HAProxy in round robin, and one is killed under load",
    async () => {
      const found = spawn("haproxy", ["-v"]);
      const hasProxy = await new Promise<boolean>((resolve) => {
        found.once("error", () => resolve(false));
        found.once("close", (code) => resolve(code === 0));
      });
      if (!hasProxy) throw new Error("Install haproxy, which this run needs.");
      await using world = await createClusterWorld();
      const nodes = await threeNodes(world);
      const port = Number(new URL(world.url).port);
      const lines = [
        "defaults\n  mode http\n  timeout connect 1s\n  timeout client 1h\n  timeout server 1h",
        "  retry-on conn-failure\n  retries 3\n  option redispatch 1",
        `frontend clients\n  bind 127.0.0.1:${port}\n  default_backend gateways`,
        "backend gateways\n  balance roundrobin\n  option forwardfor\n  option httpchk GET /readyz",
        ...nodes.map(
          ({ address, internal }, index) =>
            `  server gateway-${index} ${address} check port ${internal.split(":")[1]} inter 500 fall 1 rise 1`,
        ),
      ];
      await world.balancer[Symbol.asyncDispose]();
      const file = `${process.env["TMPDIR"] ?? "/tmp"}/haproxy-${port}.cfg`;
      await writeFile(file, `${lines.join("\n")}\n`);
      const proxy = spawn("haproxy", ["-db", "-f", file], { stdio: "ignore" });
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      const load = await startLoad(world, {
        tokens: await people(world, 6),
        legacy: 9,
        modern: 9,
        pauseMs: 50,
      });
      await load.answers(100);
      nodes[0]?.kill("SIGKILL");
      await load.answers(500);
      const report = await load.stop();
      proxy.kill();
      show("HAProxy, one kill -9", report);
      judge(FAILURES, 1, report);
      for (const node of nodes) await node[Symbol.asyncDispose]();
    },
    LONGEST_MS,
  );
});
