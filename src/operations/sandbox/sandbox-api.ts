import type { JsonValue, SandboxDenial, WaitOptions } from "../../model/index.ts";

/** One way in which a person can let a local server run. */
export interface SandboxChoice {
  /** As `sandbox` in an entry. `false` runs the server without a sandbox. */
  readonly sandbox: JsonValue;
  /** What the server may use. */
  readonly access: string;
  /** The hash to approve. It covers the choice. */
  readonly hash: string;
}

/** Something that the sandbox of a server refused, and the sandbox that would allow it. */
export interface SandboxRequest {
  /** The server's name. */
  readonly server: string;
  /** What was refused. The text comes from the server. */
  readonly denial: SandboxDenial;
  /** Whether the path is known to contain credentials or keys. */
  readonly isSensitive: boolean;
  /** The sandbox that also allows it. */
  readonly choice: SandboxChoice;
  /** The principal, if the server runs for one. */
  readonly principal?: string;
}

/** One thing that was tried in a server's sandbox. */
export interface SandboxProbe {
  /** What was tried. */
  readonly name: string;
  /** The path, if it is one. */
  readonly path?: string;
  /** `write`: can be read and changed. `read`: can only be read. `none`: is not there, or is refused. */
  readonly access: "none" | "read" | "write";
}

/** What a program can reach in a server's sandbox, tried by running one there. The server itself is not started. */
export interface SandboxTest {
  /** The server's name. */
  readonly server: string;
  /** The sandbox as written. */
  readonly sandbox: JsonValue;
  /** What the sandbox allows, in words. */
  readonly access: string;
  /** The results. */
  readonly probes: readonly SandboxProbe[];
  /** The names of the variables in the program's environment. */
  readonly variables: readonly string[];
}

/** Options for `sandbox.learn`. */
export interface LearnOptions extends WaitOptions {
  /** A tool to call, because many servers read files and connect to hosts only then. The call is allowed. */
  readonly call?: { readonly tool: string; readonly args: Readonly<Record<string, JsonValue>> };
}

/** What a server was refused while it ran in its sandbox, and the sandbox that would allow it. */
export interface LearnedSandbox {
  /** The server's name. */
  readonly server: string;
  /** What the sandbox refused. The server supplies the paths and hosts, so do not trust them. */
  readonly denials: readonly (SandboxDenial & { readonly isSensitive: boolean })[];
  /** Whether system calls were recorded, which finds every path. Otherwise only what the server's messages name is found. */
  readonly isComplete: boolean;
  /** Why the server did not start, or the call failed. */
  readonly failure?: string;
  /** The sandbox that also allows everything that is not sensitive. Absent if nothing was refused. */
  readonly choice?: SandboxChoice;
}

/** The local servers that could run in a sandbox. */
export interface UnsandboxedServers {
  /** Servers that may run, and run without a sandbox. */
  readonly servers: readonly string[];
  /** Why no server can be sandboxed on this system. */
  readonly unavailable?: string;
}

/** The sandboxes of local servers. */
export interface HostSandbox {
  /** Returns what the server's sandbox refused since this host was created. */
  denials(server: string): readonly SandboxDenial[];
  /** Returns the local servers that run without a sandbox although nothing says that they must. Starts no server. */
  missing(options?: WaitOptions): Promise<UnsandboxedServers>;
  /**
   * Returns the sandboxes to choose from for a new local server, the recommended one first. None if the settings have one, or if this
   * system has none.
   */
  offered(options?: WaitOptions): Promise<readonly Omit<SandboxChoice, "hash">[]>;
  /** Returns the server's sandbox, extended so that it also allows these. Changes nothing. */
  propose(server: string, denials: readonly SandboxDenial[], options?: WaitOptions): Promise<SandboxChoice>;
  /**
   * Runs a server in this sandbox from now on, and approves that if the server needs approval. Rejects with `POLICY_HASH_MISMATCH` if the
   * hash is not that of the server with this sandbox. An entry with its own `sandbox` is changed in its file.
   */
  choose(
    server: string,
    choice: Pick<SandboxChoice, "sandbox" | "hash">,
    options?: WaitOptions,
  ): Promise<void>;
  /** Runs a program in the server's sandbox that tries what it can reach. Starts and changes nothing else. */
  test(server: string, options?: WaitOptions): Promise<SandboxTest>;
  /** Starts the server in its sandbox, lists its tools, makes the call if there is one, and returns what was refused. Saves nothing. */
  learn(server: string, options?: LearnOptions): Promise<LearnedSandbox>;
}
