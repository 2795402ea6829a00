import type { SandboxProfile } from "../model/index.ts";

/** Describes what a sandboxed server may use, on one line. */
export function describeProfile(
  { read, write, env, network, hosts }: SandboxProfile,
  home: string | undefined,
): string {
  const list = (items: readonly string[]): string => items.map(quoted).join(", ");
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
    describeHome([...(write ?? []), ...read], home),
  ].join("; ");
}

/** Quotes a text that could imitate another part of the description. */
function quoted(text: string): string {
  return /^[\w./~@+*:-]+$/.test(text) ? text : JSON.stringify(text);
}

function describeHome(paths: readonly string[], home = ""): string {
  const folder = `${home.replace(/\/+$/, "")}/`;
  const asFolder = (path: string): string => `${path.replace(/^~(?=\/)/, () => home).replace(/\/+$/, "")}/`;
  const absolute = paths.filter((path) => /^(?:~\/|\/)/.test(path)).map(asFolder);
  if (absolute.some((path) => folder.startsWith(path))) return "home folder not hidden";
  return absolute.some((path) => path.startsWith(folder))
    ? "home folder hidden, except for the listed paths"
    : "home folder hidden";
}
