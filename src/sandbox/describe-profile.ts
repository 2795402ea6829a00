import type { SandboxProfile } from "../model/index.ts";

/** Describes what a sandboxed server may use, on one line. */
export function describeProfile(
  { read, write, env, network, hosts, image }: SandboxProfile,
  home: string | undefined,
): string {
  const list = (items: readonly string[]): string => items.map(quoted).join(", ");
  return [
    ...(image === undefined ? [] : [`runs in a container with the image ${quoted(image)}`]),
    describeWrite(write),
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

/** `"."` is the project with its protected files. */
function describeWrite(write: SandboxProfile["write"]): string {
  if (write?.length === 0) return "cannot write to the project";
  const others = (write ?? []).filter((path) => path !== ".").map(quoted);
  const hasProject = write === undefined || others.length < write.length;
  return `can write to ${[...(hasProject ? ["the project"] : []), ...others].join(", ")}`;
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
