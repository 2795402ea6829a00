import type { Environment } from "../index.ts";

type Variables = Environment["variables"];

/**
 * The proxy that the environment names for a url, as curl reads it: the lower-case name first, an empty value switches
 * it off, `NO_PROXY` lists hosts to reach directly. What runs on this machine is never asked for elsewhere.
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

/** `.example.org:8080` → `example.org`, `8080`. An IPv6 address has colons of its own. */
function splitPort(entry: string): readonly [name: string, port: string | undefined] {
  const [, bracketed, plain, port] = /^(?:(\[.*\])|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  const name = bracketed ?? plain ?? entry;
  return [plainHost(name.replace(/^\*?\./, "")), port];
}

function plainHost(name: string): string {
  return name.toLowerCase().replace(/^\[|\]$|\.$/g, "");
}
