/** What a sandboxed server may reach besides its private data folder, the system and the package caches. */
export interface SandboxProfile {
  /** Further files and folders that it may read. */
  readonly read: readonly string[];
  /** The files and folders that it may write. `undefined` is the project. */
  readonly write: readonly string[] | undefined;
  /** Variables of the host's environment that it gets. */
  readonly env: readonly string[];
  readonly network: "none" | "full";
  /** Hosts that it may reach although `network` is `"none"`: names, `*.name` and addresses, optionally with a port. */
  readonly hosts: readonly string[];
  /** Runs the server in a container with this image, instead of the system's sandbox. */
  readonly image?: string;
}

/** Something that a sandbox refused to a server. */
export interface SandboxDenial {
  /** `host`: a connection or a DNS lookup. `read` and `write`: access to a file or folder. */
  readonly kind: "read" | "write" | "host";
  /** The absolute path, or the host and, if known, the port. The server supplies this value, so do not trust it. */
  readonly target: string;
}
