import type { Environment } from "../platform/index.ts";

/** Variables that Node reads only once, when a process starts. They decide which certificates it accepts. */
export const READ_AT_START: readonly string[] = [
  "NODE_EXTRA_CA_CERTS",
  "NODE_TLS_REJECT_UNAUTHORIZED",
  "NODE_USE_SYSTEM_CA",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "OPENSSL_CONF",
];

/** Returns the variables with which a client cannot use a process that was started with other values. */
export function changedVariables(
  started: Environment["variables"],
  wanted: Environment["variables"],
): readonly string[] {
  return READ_AT_START.filter((name) => (started[name] ?? "") !== (wanted[name] ?? ""));
}
