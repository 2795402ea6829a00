/** The protocol between Plugboard's background process and its clients. */
export { acceptClient } from "./accept-client.ts";
export { createClientPipe, type GatewayLink } from "./client-pipe.ts";
export {
  connectToDaemon,
  type DaemonClientDeps,
  type DaemonLink,
  probeDaemon,
  readKey,
} from "./connect-to-daemon.ts";
export { DAEMON_PROTOCOL, type DaemonPaths, type DaemonVersion, daemonPaths } from "./daemon-address.ts";
export { type Hello, type Purpose, parseMessage, type WantedOffer } from "./daemon-messages.ts";
export { otherVersions } from "./other-versions.ts";
export { changedVariables, READ_AT_START } from "./read-at-start.ts";
export { SERVICE_MARK, type UserService, userService } from "./start-at-login.ts";
export { watchListener } from "./watched-listener.ts";
