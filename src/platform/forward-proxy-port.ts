/** What a forward proxy may connect to. */
export interface ProxyRules {
  /** Returns whether connections to a host are allowed. Addresses have their usual form, without brackets. */
  allowHost(host: string, port: number): boolean;
  /** Returns whether an allowed host may have this IP address. */
  allowAddress(address: string, target: { readonly host: string; readonly port: number }): boolean;
  /** Returns the ports of a host that a program may learn about in a DNS lookup. An empty list refuses the lookup. */
  portsOf(host: string): readonly number[];
  /** Called for every connection that was not allowed, with a host name or an IP address. Lookups have no port. */
  onDenied(host: string, port: number | undefined): void;
}

/** A running forward proxy. */
export interface RunningProxy {
  /** The path of its socket, or its port on 127.0.0.1. */
  readonly address: string | number;
  /** Stops listening and ends all connections. */
  close(): Promise<void>;
}

/**
 * Starts HTTP proxies for programs that must not use the network themselves. `CONNECT` with port 0 only looks the host up: the response
 * has the status 200 and the ports in `plugboard-ports`, 403 if the host is not allowed, 404 if it does not exist, or 502.
 */
export interface ForwardProxy {
  /** Listens on a new Unix socket in a private folder, or on a free port of 127.0.0.1. */
  listen(rules: ProxyRules, at: "socket" | "port"): Promise<RunningProxy>;
}
