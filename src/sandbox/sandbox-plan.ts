/** Where a sandbox that records writes system calls, in the data folder. */
export const TRACE_FILE = ".plugboard-trace";

/** A profile with every path resolved for one start. All paths are absolute and exist. */
export interface SandboxPlan {
  readonly network: "none" | "full";
  /** Hosts that the server may reach through Plugboard's proxy. */
  readonly hosts: readonly string[];
  /** Variables of the host's environment that the server gets besides the basic ones. */
  readonly env: readonly string[];
  /** The writable folder that belongs to this server only. It is also its home folder. */
  readonly data: string;
  /** Readable paths. */
  readonly read: readonly string[];
  /** Writable paths of the default profile: the project. */
  readonly project: readonly string[];
  /** Folders of the project that contain protected paths. As mount points they cannot be renamed. */
  readonly pinned: readonly string[];
  /** Paths inside the project that stay read-only. */
  readonly protected: readonly string[];
  /** Writable paths that the profile lists. They are also writable if they are protected. */
  readonly write: readonly string[];
  /** Whether the sandbox records what it refuses: names that are looked up and, with `strace`, system calls. */
  readonly records: boolean;
  /** The container image that the server runs in. */
  readonly image?: string;
  /** The user's home folder. */
  readonly home: string;
  /** Listed paths below the home folder, relative to it. The server finds them at the same place in its own home folder. */
  readonly homeLinks: readonly string[];
}
