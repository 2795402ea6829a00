import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { LONGEST_MS, report } from "../durability/counts.ts";
import { findStragglers } from "../support/find-stragglers.ts";
import { startCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { startThrottlingProxy } from "../support/throttling-proxy.ts";
import { eventually } from "./host-in.ts";

/** Published servers of less than 15 MB, smallest first. */
const PACKAGES = [
  "time-mcp@1.0.6",
  "wikipedia-mcp@1.0.3",
  "pokemon-mcp@1.0.8",
  "mcp-hello-world@1.1.2",
  "@modelcontextprotocol/server-memory@2026.8.31",
];
const KILLS = Number(process.env["FIRST_START_KILLS"] ?? 10);
const FIRST_STARTS = "first starts of published servers on a slow network, from an empty npm cache";
const AFTER_KILLS = "hosts killed during an installation: the next start succeeds, with npx alone too";
/** npm may contact the registry at any start, even through a proxy with its own certificate. */
const certificates = process.env["NODE_EXTRA_CA_CERTS"];
const NETWORK = certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificates };
const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "score", version: "1" } },
});

async function createHome(spec: string): Promise<Sandbox> {
  const sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { published: { command: "npx", args: ["-y", spec] } },
  });
  return sandbox;
}

/** Starts the server with the built program. */
async function startServer(sandbox: Sandbox, env: Record<string, string> = {}): Promise<string> {
  await using cli = startCli(["test", "published"], { sandbox, input: "", env: { ...NETWORK, ...env } });
  const { code, stderr } = await cli.ended;
  return code === 0 ? "works" : stderr;
}

/** Starts the server with npx alone and waits for its first response. */
async function startWithNpx(spec: string, env: Record<string, string>): Promise<string> {
  const child = spawn("npx", ["-y", spec], { cwd: "/", env, detached: true });
  let output = "";
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const answered = new Promise<string>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (/"protocolVersion"/.test(output)) resolve("works");
    });
    child.once("exit", (code) => resolve(`exit ${code}: ${errors}`));
  });
  child.stdin.on("error", () => {});
  child.stdin.write(`${INITIALIZE}\n`);
  const result = await answered;
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  return result;
}

describe("first starts", () => {
  const [smallest = ""] = PACKAGES;
  test.each([...PACKAGES.map((spec) => [spec, 1_000_000] as const), [smallest, 200_000] as const])(
    "%s at %i bytes per second starts the first time",
    async (spec, bytesPerSecond) => {
      await using sandbox = await createHome(spec);
      await using proxy = await startThrottlingProxy(bytesPerSecond);
      const result = await startServer(sandbox, { HTTPS_PROXY: proxy.url, https_proxy: proxy.url });
      report(FIRST_STARTS, result === "works" ? 1 : 0, 1);
      expect(result).toBe("works");
    },
    LONGEST_MS,
  );
});

describe.concurrent("hosts that are killed", () => {
  test.each(PACKAGES)(
    `%s starts after its host was killed at ${KILLS} random moments of its installation`,
    async (spec) => {
      await using sandbox = await createHome(spec);
      const npm = join(sandbox.home, ".npm");
      const forgetPackages = async (): Promise<void> => {
        for (const folder of ["_npx", "_plugboard"])
          await rm(join(npm, folder), { recursive: true, force: true });
      };
      const isInstalling = async (): Promise<boolean> =>
        (await readdir(join(npm, "_plugboard")).catch(() => [])).length > 0;
      /** Starts the server. Returns how long the installation took. */
      const installationMs = async (): Promise<number> => {
        const started = startServer(sandbox);
        let began: number | undefined;
        let ended = 0;
        const watch = setInterval(() => {
          void isInstalling().then((is) => {
            if (is) ended = performance.now();
            if (is) began ??= ended;
          });
        }, 10);
        expect(await started).toBe("works");
        clearInterval(watch);
        return ended - (began ?? ended);
      };
      await installationMs(); // later starts need no downloads, so kills hit npm's writing
      await forgetPackages();
      const longestMs = await installationMs();
      /** Starts the server and kills its host that long into the installation. Returns whether that interrupted it. */
      const killHost = async (moment: number): Promise<boolean> => {
        const cli = startCli(["test", "published"], { sandbox, input: "", env: NETWORK });
        while (!(await isInstalling()) && cli.child.exitCode === null) await sleep(5);
        await sleep(moment);
        const wasInstalling = await isInstalling();
        cli.child.kill("SIGKILL");
        const { signal } = await cli.ended;
        await eventually(() => expect(findStragglers(`HOME=${sandbox.home}`)).toEqual([]));
        return signal === "SIGKILL" && wasInstalling;
      };
      const failures: string[] = [];
      for (let kills = 0; kills < KILLS; ) {
        await forgetPackages();
        const moment = Math.round(Math.random() * longestMs);
        if (!(await killHost(moment))) continue; // after the installation
        kills += 1;
        const copy = await mkdtemp(join(tmpdir(), "npx-alone-"));
        await mkdir(join(copy, ".npm"));
        await cp(npm, join(copy, ".npm"), { recursive: true, verbatimSymlinks: true });
        const alone = await startWithNpx(spec, { ...sandbox.env(), ...NETWORK, HOME: copy });
        const again = await startServer(sandbox);
        if (alone !== "works") failures.push(`npx alone after ${moment} ms: ${alone}`);
        if (again !== "works") failures.push(`Plugboard after ${moment} ms: ${again}`);
        report(AFTER_KILLS, alone === "works" && again === "works" ? 1 : 0, 1);
        await rm(copy, { recursive: true, force: true });
      }
      expect(failures).toEqual([]);
    },
    LONGEST_MS,
  );
});
