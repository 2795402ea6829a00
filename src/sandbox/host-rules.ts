/** A host that a sandboxed server may connect to. */
interface HostRule {
  /** In lower case; IPv6 addresses are without brackets. */
  readonly name: string;
  /** Whether only the names below `name` are meant. */
  readonly below: boolean;
  /** The only allowed port, or `undefined` for all ports. */
  readonly port: number | undefined;
}

const FORM = /^(\*\.)?(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)(?::([1-9]\d{0,4}))?$/;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/** Returns whether a text is a valid item of `hosts`: a name, `*.name` or an address, each with or without a port. */
export function isHostRule(text: string): boolean {
  return parseRule(text) !== undefined;
}

function parseRule(text: string): HostRule | undefined {
  const [, star, host = "", port] = (text.length <= 300 && FORM.exec(text.toLowerCase())) || [];
  if (host === "" || Number(port ?? 1) > 65_535) return undefined;
  const name = canonicalHost(host);
  // Other spellings of an address, such as 127.1, would never match.
  if (name === undefined || (!host.startsWith("[") && name !== host)) return undefined;
  const below = star !== undefined;
  if (below && (!name.includes(".") || isAddress(name))) return undefined;
  return { name, below, port: port === undefined ? undefined : Number(port) };
}

/** Returns a host as rules and requests are compared: in lower case, addresses in their usual form, without brackets. */
export function canonicalHost(host: string): string | undefined {
  const url = `http://${host}/`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, "") : undefined;
}

function isAddress(name: string): boolean {
  return name.includes(":") || IPV4.test(name);
}

/** Returns whether the list allows connections to a host. `host` must be canonical. */
export function permitsHost(hosts: readonly string[], host: string, port: number): boolean {
  return hosts.some((text) => {
    const rule = parseRule(text);
    if (rule === undefined || (rule.port !== undefined && rule.port !== port)) return false;
    return rule.below ? !isAddress(host) && host.endsWith(`.${rule.name}`) : rule.name === host;
  });
}

/** The ports that a program may reach on a host if the host's rule has no port. */
const USUAL_PORTS = [80, 443, 8080, 8443];

/** Returns the ports of a host that are reachable by its name. None if the list does not allow the host. `host` must be canonical. */
export function portsOf(hosts: readonly string[], host: string): number[] {
  const named = hosts.flatMap((text) => parseRule(text)?.port ?? []);
  return [...new Set([...USUAL_PORTS, ...named])].filter((port) => permitsHost(hosts, host, port));
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|::1)$/;

/** Returns the name and port of a service on the host's loopback interface, if a rule names one. */
export function localPort(text: string): readonly [name: string, port: number] | undefined {
  const { name = "", port } = parseRule(text) ?? {};
  return LOOPBACK.test(name) && port !== undefined ? [name, port] : undefined;
}

/** Returns whether programs must use the proxy for a rule: addresses have no name that could be looked up. */
export function needsProxy(text: string): boolean {
  const { name = "" } = parseRule(text) ?? {};
  return (isAddress(name) || LOOPBACK.test(name)) && localPort(text) === undefined;
}

/**
 * Returns whether the list names an address that is not public: the address itself, or `localhost` for loopback. A name
 * that resolves to such an address is not enough, because its owner decides what it resolves to.
 */
export function listsAddress(
  hosts: readonly string[],
  address: string,
  { host, port, isLoopback }: { readonly host: string; readonly port: number; readonly isLoopback: boolean },
): boolean {
  const canonical = canonicalHost(address.includes(":") ? `[${address}]` : address);
  if (canonical !== undefined && permitsHost(hosts, canonical, port)) return true;
  return isLoopback && host === "localhost" && permitsHost(hosts, "localhost", port);
}
