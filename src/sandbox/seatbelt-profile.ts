import type { SandboxPlan } from "./sandbox-plan.ts";

/** Readable on macOS besides the plan's paths. */
const SYSTEM = "/System /usr /bin /sbin /Library /opt /private/etc /private/var/db /dev /Applications".split(
  " ",
);

/** Returns the profile for macOS's `sandbox-exec`. The last matching rule applies. */
export function seatbeltProfile(plan: SandboxPlan, proxyPort?: number): string {
  const rule = (action: string, operation: string, paths: readonly string[]): string[] =>
    paths.length === 0
      ? []
      : [`(${action} ${operation} ${paths.map((path) => `(subpath ${quoted(path)})`).join(" ")})`];
  const writable = [...plan.project, plan.data];
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-fork process-exec sysctl-read mach-lookup)",
    "(allow signal (target same-sandbox))",
    "(allow file-read-metadata)",
    '(allow file-read* (literal "/"))',
    ...rule("allow", "file-read*", [...SYSTEM, ...plan.read, ...writable, ...plan.write]),
    '(allow file-write* (literal "/dev/null") (literal "/dev/tty"))',
    ...rule("allow", "file-write*", writable),
    ...rule("deny", "file-write*", plan.protected),
    ...plan.pinned.map((path) => `(deny file-write-unlink (literal ${quoted(path)}))`),
    ...rule("allow", "file-write*", plan.write),
    ...(proxyPort === undefined ? [] : [`(allow network-outbound (remote ip "localhost:${proxyPort}"))`]),
    ...(plan.network === "full" ? ["(allow network*)"] : []),
    "(deny file-write-setugid)",
    "",
  ].join("\n");
}

function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, (character) => `\\${character}`)}"`;
}
