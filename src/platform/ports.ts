import type { ForwardProxy } from "./forward-proxy-port.ts";
import type { Log } from "./log.ts";
import type { ProcessUsage } from "./process-usage.ts";
import type { TlsFiles } from "./tls-files.ts";

/** The machine and the user that a host runs for. Set once when the host is created. */
export interface Environment {
  /** The operating system, as in `process.platform`. */
  readonly platform: string;
  /** The absolute path of the user's home folder. Without one there is no user tier and nothing is saved. */
  readonly home: string | undefined;
  /**
   * Returns the home folder in the account database. Defaults to `home`. Called only if the project contains `home`.
   */
  readonly accountHome?: () => string | undefined;
  /** The working folder. */
  readonly cwd: string;
  /** The environment variables. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The current user. Omitted on systems without user ids, such as Windows. */
  readonly user?: {
    readonly uid: number;
    /** Returns whether this user is the only one in the group. */
    isAloneIn(gid: number): boolean;
  };
}

/** The owner and mode of a file, folder or link. */
export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
  /** The mode, including the file type bits. */
  readonly mode: number;
  /** The target, if it is a link. */
  readonly link?: string;
  /** The size of a file. */
  readonly bytes?: number;
}

/** The file system. Paths are absolute. */
export interface Files {
  /**
   * Returns the content of a file, or `undefined` if it does not exist. Throws if it cannot be read. Throws with code
   * `EFBIG` if the file is larger than `limit` bytes; the default is 64 MB.
   */
  read(path: string, limit?: number): Promise<Uint8Array | undefined>;
  /** Returns the paths that exist, or whose existence is unknown. Saves reading hundreds of paths that mostly do not exist. */
  present(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns the kind of a path, or `undefined` if it does not exist. Follows links. */
  kind(path: string): Promise<"file" | "folder" | undefined>;
  /** Returns the path with all links resolved, or the path itself if it does not exist. */
  realPath(path: string): Promise<string>;
  /** Returns at most `limit` names in a folder. Returns none if the folder does not exist or cannot be read. */
  list(folder: string, limit?: number): Promise<readonly string[]>;
  /** Creates a folder and its missing parents. Does nothing if the folder exists. */
  makeFolder(path: string, mode: number): Promise<void>;
  /** Creates a file and syncs it to disk. Throws with code `EEXIST` if it exists. Leaves no file behind if it fails. */
  create(path: string, content: string | Uint8Array, mode: number): Promise<void>;
  /** Writes a file atomically: readers see either the old content or the new content. Does not sync to disk. */
  replace(path: string, content: string | Uint8Array, mode: number): Promise<void>;
  /** Appends to a file, and creates it if needed. Does not sync to disk. */
  append(path: string, text: string, mode: number): Promise<void>;
  /** Renames a file and syncs the folder to disk. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file. Does nothing if it does not exist. */
  remove(path: string): Promise<void>;
  /**
   * Removes an empty folder. Throws if it is not empty, is not a folder or does not exist. If omitted, empty folders
   * stay.
   */
  removeFolder?(path: string): Promise<void>;
  /** Returns a text that changes whenever the file or folder changes, or `undefined` if it does not exist. */
  stamp(path: string): Promise<string | undefined>;
  /** Returns when the content was last written (ms since 1970), or `undefined` if the path does not exist. */
  writtenAt(path: string): Promise<number | undefined>;
  /** Returns the permission bits, or `undefined` if the path does not exist. */
  mode(path: string): Promise<number | undefined>;
  /**
   * Returns the owner and mode, or `undefined` if the path does not exist. Does not follow links. If omitted, owners
   * are not checked.
   */
  owner?(path: string): Promise<FileOwner | undefined>;
  /** Folder operations for installing packages. If omitted, package runners install packages themselves. */
  readonly folders?: Folders;
}

/** Operations on whole folders. Paths are absolute. */
export interface Folders {
  /** Creates a folder. Throws with code `EEXIST` if it exists. */
  create(path: string): Promise<void>;
  /** Creates a link to a folder. */
  link(target: string, path: string): Promise<void>;
  /** Moves a file or folder within a file system. Throws if `to` is a folder that is not empty. */
  move(from: string, to: string): Promise<void>;
  /**
   * Removes a folder and its contents. Removes links without following them. Does nothing if the folder does not exist.
   */
  remove(path: string): Promise<void>;
}

/** The program to start, and how. */
export interface SpawnRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** On Windows: pass the arguments without quoting them, because they are already quoted. */
  readonly verbatim?: boolean;
  /** Allow background processes of this process to keep running after it expires. Default: false. */
  readonly mayLeaveProcesses?: boolean;
  /** Pass on no files and folders that the program which started this one left open. Default: false. */
  readonly isConfined?: boolean;
  /** What the process reads from its file descriptors 3, 4, …, to the end. Not on Windows. */
  readonly inputs?: readonly Uint8Array[];
  /** The process exits at once by itself, so it need not be ended together with this one. Default: false. */
  readonly endsByItself?: boolean;
}

/** How a process ended. */
export interface ProcessEnd {
  /** The exit code, if the process exited. */
  readonly code: number | undefined;
  /** The signal that ended the process, if any. */
  readonly signal: string | undefined;
  /** Why the process could not start. */
  readonly failure: Error | undefined;
}

/** A child process in its own process group. */
export interface RunningProcess {
  /** The process id, or `undefined` if the process could not start. */
  readonly pid: number | undefined;
  /** Resolves when the process has ended and its last output was read. */
  readonly ended: Promise<ProcessEnd>;
  /** Returns whether the process has exited. `ended` may still wait for its last output. */
  hasExited(): boolean;
  /**
   * Writes to standard input. Rejects if the process no longer reads it. Texts of one turn are combined. With `isImmediate`, the text may be
   * written immediately, and the promise may stay pending.
   */
  write(text: string, isImmediate?: boolean): Promise<void>;
  /** Closes standard input. */
  endInput(): void;
  /** Calls the listener with standard output. Reading pauses while a promise returned by the listener is pending. */
  onOutput(listener: (chunk: Uint8Array) => void | Promise<void>): void;
  /** Calls the listener when the process closes standard output. It usually exits right after. */
  onOutputEnd(listener: () => void): void;
  /** Calls the listener with standard error. */
  onErrorOutput(listener: (chunk: Uint8Array) => void): void;
  /** Signals the whole process group. Does nothing if the group has ended. */
  signal(name: "SIGTERM" | "SIGKILL"): void;
  /** Returns whether any process of the group is running, including descendants. */
  groupIsAlive(): boolean;
  /**
   * Signals every process that this process started, including those that left its group. 0 only checks. Returns
   * whether there were any.
   */
  signalStrays(name: "SIGTERM" | "SIGKILL" | 0): Promise<boolean>;
  /** Returns what it and its descendants use; `undefined` if the system does not report it. `exact` takes longer. */
  usage?(exact: boolean): Promise<ProcessUsage | undefined>;
  /**
   * Stops tracking the process. Call it when the process and its descendants have ended; until then they end with the
   * host.
   */
  release(): void;
}

/** Starts and checks processes. */
export interface Processes {
  /** The id of this process. */
  readonly ownPid: number;
  /**
   * Identifies the machine, its boot and its PID namespace, without spaces. Process ids can be compared only if this is
   * equal. `undefined` if unknown.
   */
  readonly place?: string | undefined;
  /** The memory of this machine, or of the container that this process runs in, in bytes. */
  readonly memoryBytes?: number | undefined;
  /** The program of this runtime, if it runs JavaScript text with `-e`. */
  readonly runtime?: string | undefined;
  /** Starts a process. */
  spawn(request: SpawnRequest): RunningProcess;
  /** Returns whether a process with this id is running. */
  isAlive(pid: number): boolean;
}

/** A cancellation signal. `AbortSignal` implements it; requests use a cheaper implementation. */
export interface Cancellation {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** An HTTP request. */
export interface HttpRequest {
  readonly url: URL;
  readonly method: "GET" | "POST" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Cancels the request. */
  readonly signal?: Cancellation | undefined;
  /**
   * Called with every IP address of the host name. The request fails if one is not allowed, and it uses its own
   * connection. Called with `undefined` if only a proxy can resolve the name.
   */
  readonly allowAddress?: ((address: string | undefined) => boolean) | undefined;
}

/** An HTTP response. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: {
    /** Returns a header by its lower-case name. */
    get(name: string): string | undefined;
  };
  /**
   * Reads the decompressed body. Calls `onData` for each chunk, then `onEnd` once. Reading pauses while a promise
   * returned by `onData` is pending.
   */
  read(onData: (chunk: Uint8Array) => void | Promise<void>, onEnd: (error?: Error) => void): void;
  /** Closes the connection. No callback is called after that. */
  cancel(): void;
}

/** The error of a request that got no response. */
export interface HttpFailure extends Error {
  /** The system's error code. */
  readonly code?: string;
  /** Whether the server may have received part of the request. */
  readonly sent: boolean;
  /** Whether the connection was reused. Servers can close idle connections at any time. */
  readonly reused: boolean;
}

/** An HTTP client with persistent connections. Uses the proxies from the environment. Does not follow redirects. */
export interface Http {
  /** Sends a request. Rejects with `HttpFailure` if there is no response. Resolves for error statuses. */
  request(request: HttpRequest): Promise<HttpResponse>;
  /** Closes idle connections. */
  close(): void;
}

/** The operating system's secret store. */
export interface Keychain {
  /** Returns a secret, or `undefined` if it does not exist. Rejects if there is no keychain or it stays locked. */
  read(name: string): Promise<string | undefined>;
  /** Stores a secret. Rejects if there is no keychain or it stays locked. */
  write(name: string, text: string): Promise<void>;
  /** Removes a secret. Does nothing if it does not exist. Rejects if there is no keychain or it stays locked. */
  remove(name: string): Promise<void>;
}

/** Opens pages in the user's browser. */
export interface Browser {
  /** Opens a page without using a shell. Returns whether an opener was started. */
  open(url: URL): Promise<boolean>;
}

/** A request to the loopback server. */
export interface LoopbackRequest {
  readonly method: string;
  /** The path and query as sent. */
  readonly target: string;
  /** The `Host` header. */
  readonly host: string;
}

/** A response of the loopback server. */
export interface LoopbackAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A running loopback server. */
export interface LoopbackServer {
  readonly port: number;
  /** Stops listening immediately and waits for pending responses. */
  close(): Promise<void>;
}

/** A small web server that only this machine can reach. */
export interface Loopback {
  /** Starts a server. Port 0 chooses a free port. Rejects with code `EADDRINUSE` if the port is in use. */
  listen(
    port: number,
    answer: (request: LoopbackRequest) => LoopbackAnswer | Promise<LoopbackAnswer>,
  ): Promise<LoopbackServer>;
}

/** A request to an HTTP server of this program. */
export interface IncomingRequest {
  readonly method: string;
  /** The path and query as sent. */
  readonly target: string;
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The names of headers that were sent more than once. */
  readonly repeated: readonly string[];
  /** The IP address of the sender, or of the last proxy. */
  readonly address?: string | undefined;
  /** Reads the body. Returns `undefined` if it is larger than `limit` bytes. Rejects if the client disconnects. */
  readBody(limit: number): Promise<string | undefined>;
  /** Returns the id of the user whose program sent the request; `undefined` if the system does not report it. */
  sender?(): Promise<number | undefined>;
}

/** The response to a request. */
export interface OutgoingResponse {
  /** Sends a complete response. */
  send(status: number, headers: Readonly<Record<string, string>>, body?: string | Uint8Array): void;
  /** Starts a response whose body is sent in pieces. */
  stream(status: number, headers: Readonly<Record<string, string>>): ResponseStream;
  /** Called once when the response was sent or the client disconnected. `isComplete` tells which. */
  onClose(callback: (isComplete: boolean) => void): void;
}

/** A response body that is sent in pieces. */
export interface ResponseStream {
  /** Sends text. Returns the number of bytes that the client has not taken yet. */
  write(text: string): number;
  end(): void;
  /** Disconnects a client that does not read. */
  abort(): void;
}

/** A running HTTP server. */
export interface RunningListener {
  readonly port: number;
  /** Uses another certificate for new connections. */
  setTls?(tls: TlsFiles): void;
  /** Stops listening, and ends connections without requests. */
  stopAccepting?(): void;
  /** Stops listening and ends all connections. */
  close(): Promise<void>;
}

/** Starts HTTP servers. */
export interface HttpListener {
  /** Port 0 chooses a free port. Rejects with code `EADDRINUSE` if the port is in use. */
  listen(
    address: { readonly host: string; readonly port: number; readonly tls?: TlsFiles | undefined },
    handle: (request: IncomingRequest, response: OutgoingResponse) => void,
  ): Promise<RunningListener>;
}

/** The current time, and timers. */
export interface Clock {
  /** Returns the time in milliseconds since 1970. */
  now(): number;
  /** Returns a monotonic time in milliseconds, which changes to the system time do not affect. Defaults to `now`. */
  elapsed?(): number;
  /**
   * Calls `callback` after `ms` and returns a function that cancels it. A `background` timer does not keep the process
   * alive.
   */
  after(ms: number, callback: () => void, options?: { readonly background?: boolean }): () => void;
}

/** The host's interfaces to the outside world. */
export interface Ports {
  /** The file system. */
  readonly files: Files;
  /** Starts and ends processes. */
  readonly processes: Processes;
  /** The time, and timers. */
  readonly clock: Clock;
  /** Sends HTTP requests. */
  readonly http: Http;
  /** The system's secret store. */
  readonly keychain: Keychain;
  /** Opens web pages. */
  readonly browser: Browser;
  /** Receives a sign-in's redirect on this machine. */
  readonly loopback: Loopback;
  /** If omitted, sandboxed servers cannot reach a list of hosts. */
  readonly proxy?: ForwardProxy;
  /** Receives log entries. */
  readonly log: Log;
}
