import {
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonValue,
  type SandboxDenial,
} from "../model/index.ts";

/**
 * Returns a sandbox, as entries write it, that also allows what was refused. Paths in the home folder are written with `~/`. The
 * project stays writable as before.
 */
export function extendSandbox(
  sandbox: JsonValue,
  denials: readonly SandboxDenial[],
  home: string | undefined,
): JsonObject {
  const given: JsonObject = isJsonObject(sandbox) ? sandbox : {};
  const targets = (kind: SandboxDenial["kind"]): string[] =>
    denials.filter((denial) => denial.kind === kind).map(({ target }) => shortPath(target, home));
  const merged = (key: "read" | "write" | "hosts", added: readonly string[]): JsonObject => {
    if (added.length === 0) return {};
    const before = given[key] === undefined && key === "write" ? ["."] : itemsOf(given[key]);
    return { [key]: [...new Set([...before, ...added])] };
  };
  return {
    ...given,
    ...merged("read", targets("read")),
    ...merged("write", targets("write")),
    ...hostsFor(given, merged("hosts", targets("host"))),
  };
}

/** A container's network is either complete or off. */
function hostsFor({ network, image }: JsonObject, added: JsonObject): JsonObject {
  if (network === "full" || added["hosts"] === undefined) return {};
  return image === undefined ? added : { network: "full" };
}

function shortPath(path: string, home: string | undefined): string {
  return home !== undefined && home !== "/" && path.startsWith(`${home}/`)
    ? `~/${path.slice(home.length + 1)}`
    : path;
}
