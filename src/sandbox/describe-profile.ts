import type { SandboxProfile } from "../model/index.ts";

/** Describes what a sandboxed server may use, on one line. */
export function describeProfile({ read, write, env, network, hosts }: SandboxProfile): string {
  const list = (items: readonly string[]): string => items.join(", ");
  return [
    write === undefined
      ? "writes the project"
      : write.length === 0
        ? "writes nothing"
        : `writes ${list(write)}`,
    ...(read.length === 0 ? [] : [`also reads ${list(read)}`]),
    network === "full" ? "full network" : hosts.length === 0 ? "no network" : `reaches only ${list(hosts)}`,
    ...(env.length === 0 ? [] : [`gets the variables ${list(env)}`]),
    "home folder hidden",
  ].join("; ");
}
