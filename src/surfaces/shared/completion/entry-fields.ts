/** The fields of an entry in Plugboard's own files. A test compares them with the schema. */
export const ENTRY_FIELDS: readonly string[] =
  `type command args env envFile cwd wrap sandbox inheritEnv resolveInProject url headers headersHelper auth oauth authProviderId
   enabled timeout startupTimeout installTimeout eager idleStopMs maxMemoryMb share toolsTtlMs protocol trust allowTools denyTools approval pins
   label description`.split(/\s+/);
