import type { SandboxDenial } from "../model/index.ts";
import { isHostRule } from "./host-rules.ts";

/** Longer texts are searched only up to here. */
const LONGEST_TEXT = 20_000;
const MOST_FOUND = 20;

/** An error about a file or folder: of Node, Python, Go, Rust and command line programs. */
const FILE_ERROR =
  /\b(?:ENOENT|EACCES|EPERM|EROFS)\b|no such file or directory|permission denied|operation not permitted|read-only file ?system|directory nonexistent|does not exist|cannot find|not found/i;
/** The path would have been changed. */
const CHANGES =
  /\bEROFS\b|read-only file ?system|\b(?:mkdir|unlink|rmdir|rename|copyfile|symlink|link|utime|chmod|mkdtemp)\b|cannot (?:touch|create|remove|move|make)|\bwrit(?:e|ing)\b/i;
const PATHS = /["'`]((?:~?\/)[^"'`\n]{1,1000})["'`]|(?:^|[\s(=:[])((?:~?\/)[^\s"'`),;:\]]{1,1000})/g;

/** Names a host that could not be looked up or reached. */
const HOSTS: readonly RegExp[] = [
  /\b(?:getaddrinfo|queryA{1,4}|lookup)\s+(?:E[A-Z_]+\s+)?([a-z0-9_][a-z0-9_.-]*)/gi,
  /(?:resolve|resolving|unknown) host(?: ?name)?:?\s+["'(]*([a-z0-9_][a-z0-9_.-]*)/gi,
  /failed to resolve\s+["'(]*([a-z0-9_][a-z0-9_.-]*)/gi,
  /ConnectionPool\(host=["']([^"']{1,253})["'], port=(\d{1,5})\)/gi,
  /\b(?:ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|dial (?:tcp|udp))\s+(\[[0-9a-f:]+\]|[0-9a-f:]+(?=:\d+\b)|\d+(?:\.\d+){3}):(\d{1,5})/gi,
];
/** Any other network error. The URLs in such a text could not be reached. */
const NETWORK_ERROR =
  /fetch failed|network (?:error|is unreachable)|failed to fetch|\bE(?:AI_AGAIN|NOTFOUND|NETUNREACH|CONNREFUSED|HOSTUNREACH)\b|name resolution|name or service not known|error sending request|connection error|connect(?:ion)? refused|could not resolve/i;
const URLS = /\b(?:https?|wss?):\/\/(?:[^\s/@"'`]{1,200}@)?([a-z0-9_.-]+|\[[0-9a-f:]+\])(?::(\d{1,5}))?/gi;

/**
 * Returns what an error text says could not be read, changed or reached. A text says nothing about the reason: the caller
 * compares it with the sandbox. Paths may start with `~/`.
 */
export function findDenials(text: string): SandboxDenial[] {
  const found = new Map<string, SandboxDenial>();
  const add = (kind: SandboxDenial["kind"], target: string): void => {
    if (found.size < MOST_FOUND) found.set(`${kind} ${target}`, { kind, target });
  };
  const start = text.slice(0, LONGEST_TEXT);
  for (const line of start.split("\n")) {
    if (!FILE_ERROR.test(line)) continue;
    const kind = CHANGES.test(line) ? "write" : "read";
    for (const [, quoted, plain] of line.matchAll(PATHS)) {
      const path = quoted ?? plain ?? "";
      if (!path.startsWith("//")) add(kind, path);
    }
  }
  const hosts = HOSTS.flatMap((pattern) => [...start.matchAll(pattern)]);
  if (NETWORK_ERROR.test(start)) hosts.push(...start.matchAll(URLS));
  for (const [, name = "", port] of hosts) {
    const bare = name.includes(":") && !name.startsWith("[") ? `[${name}]` : name.replace(/\.+$/, "");
    const target = `${bare.toLowerCase()}${port === undefined ? "" : `:${port}`}`;
    if (isHostRule(target) && isNamed(bare)) add("host", target);
  }
  return [...found.values()];
}

/** Returns whether a text is an error of the network, with or without the name of a host. */
export function isNetworkError(text: string): boolean {
  return NETWORK_ERROR.test(text.slice(0, LONGEST_TEXT));
}

/** A single word is more likely to be part of a sentence than a host. */
function isNamed(host: string): boolean {
  return host === "localhost" || host.startsWith("[") || host.includes(".");
}
