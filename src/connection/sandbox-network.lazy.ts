import { loadAddressClass } from "../auth/index.ts";
import type { Ports, RunningProxy } from "../platform/index.ts";
import { listsAddress, permitsHost, portsOf } from "../sandbox/index.ts";

/** Hosts and ports that are reported per start. A server could otherwise fill the log. */
const MOST_DENIALS = 100;

/** Opens the proxy through which one sandboxed program reaches the hosts of its profile. */
export async function openSandboxProxy(
  proxy: NonNullable<Ports["proxy"]>,
  hosts: readonly string[],
  at: "socket" | "port",
  onDenied: (target: string) => void,
): Promise<RunningProxy> {
  const addressClass = await loadAddressClass();
  const denied = new Set<string>();
  return proxy.listen(
    {
      allowHost: (host, port) => permitsHost(hosts, host, port),
      allowAddress(address, { host, port }) {
        const found = addressClass(address);
        return (
          found === "public" || listsAddress(hosts, address, { host, port, isLoopback: found === "loopback" })
        );
      },
      portsOf: (host) => portsOf(hosts, host),
      onDenied(host, port) {
        const target =
          `${host.includes(":") ? `[${host}]` : host}${port === undefined ? "" : `:${port}`}`.slice(0, 300);
        if (denied.has(target) || denied.size >= MOST_DENIALS) return;
        denied.add(target);
        onDenied(target);
      },
    },
    at,
  );
}
