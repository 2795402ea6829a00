import { partsOfUrl } from "./clean-url.ts";

/** A repository: its host, if the text names one, its owner and its name. */
export interface CleanRepository {
  readonly host: string | undefined;
  /** The owner, groups and name. */
  readonly path: readonly string[];
}

const PART = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;

/** Reads `owner/name`, `host/owner/name`, a URL, or `git@host:owner/name.git`. Returns `undefined` for anything else. */
export function partsOfRepository(text: string): CleanRepository | undefined {
  const [, sshHost, sshPath] = /^git@([a-z0-9.-]+):([^:]+)$/i.exec(text) ?? [];
  if (sshHost !== undefined && sshPath !== undefined) return repository(sshHost, sshPath.split("/"));
  if (text.includes("://")) {
    const url = partsOfUrl(text.replace(/^(?:git\+)?ssh:\/\/git@/i, "ssh://"));
    return url && url.port === "" ? repository(url.host, url.path) : undefined;
  }
  const parts = text.split("/");
  const [first = ""] = parts;
  return parts.length > 2 && HOST.test(first)
    ? repository(first, parts.slice(1))
    : repository(undefined, parts);
}

function repository(host: string | undefined, parts: readonly string[]): CleanRepository | undefined {
  const last = parts.at(-1) ?? "";
  const path = [...parts.slice(0, -1), last.replace(/\.git$/i, "")];
  if (path.length < 2 || !path.every((part) => PART.test(part))) return undefined;
  return { host: host?.toLowerCase(), path };
}
