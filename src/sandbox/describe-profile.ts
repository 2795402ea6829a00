import type { SandboxProfile } from "../model/index.ts";

/** Describes what a sandboxed server may use, on one line. */
export function describeProfile({ read, write, env, network, hosts }: SandboxProfile): string {
  const list = (items: readonly string[]): string => items.join(", ");
  return [
    write === undefined
      ? "can write to the project"
      : write.length === 0
        ? "cannot write to the project"
        : `can write to ${list(write)}`,
    ...(read.length === 0 ? [] : [`can also read ${list(read)}`]),
    network === "full"
      ? "full network access"
      : hosts.length === 0
        ? "no network"
        : `can connect only to ${list(hosts)}`,
    ...(env.length === 0 ? [] : [`receives the variables ${list(env)}`]),
    "home folder hidden",
  ].join("; ");
}
