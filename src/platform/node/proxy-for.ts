import type { Environment } from "../index.ts";

type Variables = Environment["variables"];

/**
 * Returns the proxy from the environment for a URL, by curl's rules: the lower-case variable takes precedence, an empty
 * value disables the proxy, and `NO_PROXY` lists hosts to connect to directly. Never returns a proxy for this machine.
 */
export function proxyFor(url: URL, variables: Variables): string | undefined {
  const kind = url.protocol === "https:" ? "https_proxy" : "http_proxy";
  const proxy = (read(variables, kind) ?? read(variables, "all_proxy"))?.trim();
  if (proxy === undefined || proxy === "" || isLoopback(url.hostname)) return undefined;
  return isExcepted(url, read(variables, "no_proxy") ?? "") ? undefined : proxy;
}

function read(variables: Variables, name: string): string | undefined {
  return variables[name] ?? variables[name.toUpperCase()];
}

function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?$/i.test(host);
}

function isExcepted(url: URL, list: string): boolean {
  const host = plainHost(url.hostname);
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "*") return true;
    const [name, onlyPort] = splitPort(entry);
    if (name === "" || (onlyPort !== undefined && onlyPort !== port)) return false;
    return host === name || host.endsWith(`.${name}`);
  });
}

/** Splits `.example.org:8080` into `example.org` and `8080`. Does not split at the colons of an IPv6 address. */
function splitPort(entry: string): readonly [name: string, port: string | undefined] {
  const [, bracketed, plain, port] = /^(?:(\[.*\])|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  const name = bracketed ?? plain ?? entry;
  return [plainHost(name.replace(/^\*?\./, "")), port];
}

function plainHost(name: string): string {
  return name.toLowerCase().replace(/^\[|\]$|\.$/g, "");
}
