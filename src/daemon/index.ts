/** The protocol between Plugboard's background process and its clients. */
export { acceptClient } from "./accept-client.ts";
export { createClientPipe, type GatewayLink } from "./client-pipe.ts";
export { connectToDaemon, type DaemonClientDeps, type DaemonLink, readKey } from "./connect-to-daemon.ts";
export { DAEMON_PROTOCOL, type DaemonPaths, daemonPaths } from "./daemon-address.ts";
export type { Hello, Purpose, WantedOffer } from "./daemon-messages.ts";
export { type WatchedListener, watchListener } from "./watched-listener.ts";
