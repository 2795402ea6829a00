import { spawn, spawnSync } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Sandbox } from "../support/sandbox.ts";
import { CANARIES } from "./lay-out.ts";

export const hasStrace: boolean = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;
if (!hasStrace)
  console.log("skipped: strace is not here, so what hostile configs make happen cannot be seen");

const cli = fileURLToPath(new URL("../../dist/surfaces/cli/main.cjs", import.meta.url));
const driver = fileURLToPath(new URL("drive.mjs", import.meta.url));

/** What a program did according to the kernel, and its output. */
export interface Traced {
  /** Programs that were started, or attempted. The first is ours. */
  readonly started: readonly string[];
  readonly connected: readonly string[];
  readonly opened: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** Runs the built program with these words, or the driver without any, in the sandbox's project. */
export async function traced(sandbox: Sandbox, words?: readonly string[]): Promise<Traced> {
  const file = join(sandbox.home, `trace-${Math.random().toString(36).slice(2)}`);
  const calls = "trace=execve,execveat,connect,sendto,sendmsg,open,openat,openat2,creat";
  const child = spawn(
    "strace",
    [
      "-f",
      "-qq",
      "-s",
      "4096",
      "-o",
      file,
      "-e",
      calls,
      process.execPath,
      ...(words ? [cli, ...words] : [driver]),
    ],
    {
      cwd: sandbox.project,
      env: { ...sandbox.env(), CANARY: CANARIES.variable },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const lines = (await readFile(file, "utf8")).split("\n");
  await rm(file);
  const only = (call: RegExp): string[] => lines.filter((line) => call.test(line));
  return {
    started: only(/^\d+ +execve(?:at)?\(/),
    // A network server has an address; sockets between threads have none. Netlink only reaches the kernel.
    connected: only(/^\d+ +(?:connect|sendto|sendmsg)\(.*sa_family=(?!AF_NETLINK)/),
    opened: only(/^\d+ +(?:open|openat|openat2|creat)\(/),
    stdout,
    stderr,
    code,
  };
}
