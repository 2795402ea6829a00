import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";

const BWRAP = "/usr/bin/bwrap";

/** Returns why servers cannot be sandboxed on this machine, or `undefined` if they can. */
export function whyNoSandbox(): string | undefined {
  if (process.platform !== "linux") return `bubblewrap does not run on ${process.platform}`;
  if (process.arch !== "x64" && process.arch !== "arm64") return `there is no filter for ${process.arch}`;
  if (!existsSync(BWRAP)) return "bubblewrap is not installed";
  const options =
    "--unshare-user --unshare-pid --unshare-net --unshare-ipc --ro-bind / / --proc /proc --dev /dev".split(
      " ",
    );
  const { status, stderr } = spawnSync(BWRAP, [...options, "true"], { encoding: "utf8" });
  return status === 0 ? undefined : `bubblewrap cannot create namespaces: ${stderr.trim().slice(0, 200)}`;
}

/** What an attack may need on the machine to succeed without a sandbox. */
export type Need = "root" | "python" | "namespaces" | "tracing" | "rings" | "ipv6";

/** Returns the needs that this machine and user cannot meet. */
export function unmetNeeds(): ReadonlySet<Need> {
  const isRoot = process.getuid?.() === 0;
  const unmet = new Set<Need>();
  if (!isRoot) unmet.add("root");
  if (!existsSync("/usr/bin/python3")) unmet.add("python");
  if (spawnSync("unshare", ["--user", "--map-root-user", "true"]).status !== 0) unmet.add("namespaces");
  const scope = "/proc/sys/kernel/yama/ptrace_scope";
  if (!isRoot && existsSync(scope) && readFileSync(scope, "utf8").trim() !== "0") unmet.add("tracing");
  const rings = "/proc/sys/kernel/io_uring_disabled";
  if (!existsSync(rings) || readFileSync(rings, "utf8").trim() !== "0") unmet.add("rings");
  const hasLoopback = Object.values(networkInterfaces()).some((found) =>
    found?.some(({ address }) => address === "::1"),
  );
  if (!hasLoopback) unmet.add("ipv6");
  return unmet;
}
