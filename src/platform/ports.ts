/** Facts about the machine and the person, given once when a host is created. */
export interface Environment {
  readonly platform: string;
  /** The user's home folder, absolute. Without one there is no user tier and nothing is saved. */
  readonly home: string | undefined;
  /** The home folder in the account database; `home` is it when left out. Looked up only if the project contains `home`. */
  readonly accountHome?: () => string | undefined;
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Left out where users are not told apart by id, as on Windows. */
  readonly user?: {
    readonly uid: number;
    /** Reports whether no other user is in the group. */
    isAloneIn(gid: number): boolean;
  };
}

/** Who may change a file or folder. */
export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
  /** With the bits for the type of file. */
  readonly mode: number;
  /** Where it leads, if it is a link. */
  readonly link?: string;
  /** The size of a file. */
  readonly bytes?: number;
}

/** The file system. Paths are absolute. */
export interface Files {
  /**
   * The bytes, or `undefined` when nothing is there. Throws for everything else (no permission, a folder), with code `EFBIG`
   * for a file of more than `limit` bytes, of which no more than that is read. The default limit is 64 MB.
   */
  read(path: string, limit?: number): Promise<Uint8Array | undefined>;
  /** Those of the paths where something is, or where nobody can tell: of hundreds of places most hold nothing. */
  present(paths: readonly string[]): Promise<ReadonlySet<string>>;
  kind(path: string): Promise<"file" | "folder" | undefined>;
  /** The path with every link followed; the path itself when nothing is there. */
  realPath(path: string): Promise<string>;
  /** The names in a folder, at most `limit` of them; none when it is not there or cannot be looked into. */
  list(folder: string, limit?: number): Promise<readonly string[]>;
  makeFolder(path: string, mode: number): Promise<void>;
  /** Writes a file that must not exist yet, down to the disk. Throws with code `EEXIST` when it does; leaves nothing when it fails. */
  create(path: string, content: string | Uint8Array, mode: number): Promise<void>;
  /** Puts a file in the place of what is there, if anything: whoever reads sees the one or the other, never half. Not down to the disk. */
  replace(path: string, content: string | Uint8Array, mode: number): Promise<void>;
  /** Adds to the end of a file, which is made when it is not there. Not down to the disk. */
  append(path: string, text: string, mode: number): Promise<void>;
  /** Down to the disk, too. */
  rename(from: string, to: string): Promise<void>;
  /** Does nothing when nothing is there. */
  remove(path: string): Promise<void>;
  /** Removes an empty folder. Throws if it is not empty, not a folder or does not exist. Without it, empty folders stay. */
  removeFolder?(path: string): Promise<void>;
  /** Something that changes whenever the file or folder does; `undefined` when nothing is there. */
  stamp(path: string): Promise<string | undefined>;
  /** When its content was last written, in milliseconds since 1970; `undefined` when nothing is there. */
  writtenAt(path: string): Promise<number | undefined>;
  /** The permission bits, or `undefined` when nothing is there. */
  mode(path: string): Promise<number | undefined>;
  /** The owner and mode of the file, folder or link itself; `undefined` when nothing is there. Without it, owners are not checked. */
  owner?(path: string): Promise<FileOwner | undefined>;
  /** What installing packages takes. Without it, package runners install by themselves. */
  readonly folders?: Folders;
}

/** Whole folders. Paths are absolute. */
export interface Folders {
  /** Creates one folder that must not exist yet. Throws with code `EEXIST` if it does. */
  create(path: string): Promise<void>;
  /** Creates a link to a folder. */
  link(target: string, path: string): Promise<void>;
  /** Moves a file or folder within a file system. Throws if a folder with something in it has the new name. */
  move(from: string, to: string): Promise<void>;
  /** Removes a folder with all that is in it. Links are removed, not followed. Does nothing when nothing is there. */
  remove(path: string): Promise<void>;
}

export interface SpawnRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** On Windows: the arguments are a command line already, quotes included. */
  readonly verbatim?: boolean;
  /** It may start background processes that stay after it has ended by itself. Default: false. */
  readonly mayLeaveProcesses?: boolean;
}

/** How a process ended; `failure` when it never started. */
export interface ProcessEnd {
  readonly code: number | undefined;
  readonly signal: string | undefined;
  readonly failure: Error | undefined;
}

/** A child in a process group of its own. */
export interface RunningProcess {
  readonly pid: number | undefined;
  readonly ended: Promise<ProcessEnd>;
  /** It is over, and `ended` waits for its last output at most. */
  hasExited(): boolean;
  /** Rejects when the other end no longer reads. */
  write(text: string): Promise<void>;
  endInput(): void;
  /** While a promise that the listener returned is pending, no more is read. */
  onOutput(listener: (chunk: Uint8Array) => void | Promise<void>): void;
  /** It closed its output; usually it ends right after. */
  onOutputEnd(listener: () => void): void;
  onErrorOutput(listener: (chunk: Uint8Array) => void): void;
  /** Goes to the whole group; does nothing once the group is gone. */
  signal(name: "SIGTERM" | "SIGKILL"): void;
  /** Is anything of the group left, children of the child included? */
  groupIsAlive(): boolean;
  /** Goes to everything it started that is left, also to what left its group; 0 only looks. Answers whether there was anything. */
  signalStrays(name: "SIGTERM" | "SIGKILL" | 0): Promise<boolean>;
  /** Nothing of it is left. Until then it is ended with this program, however that ends. */
  release(): void;
}

export interface Processes {
  readonly ownPid: number;
  /** The host, its boot and its PID namespace, without spaces. Process ids can be compared only if it is the same; undefined if unknown. */
  readonly place?: string | undefined;
  spawn(request: SpawnRequest): RunningProcess;
  isAlive(pid: number): boolean;
}

/** What can call something off. An `AbortSignal` is one; the wire has a cheaper one, made for every request. */
export interface Cancellation {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

export interface HttpRequest {
  readonly url: URL;
  readonly method: "GET" | "POST" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: Cancellation | undefined;
  /**
   * Asked for every address a name stands for; a no keeps the connection from being made. Such a request shares no
   * connection. Asked without one when only a proxy could say what a name stands for.
   */
  readonly allowAddress?: ((address: string | undefined) => boolean) | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: {
    /** By lower-case name. */
    get(name: string): string | undefined;
  };
  /** Calls back for each piece of the body, decompressed, then once at its end. While a promise that `onData` returned is pending, no more is read. */
  read(onData: (chunk: Uint8Array) => void | Promise<void>, onEnd: (error?: Error) => void): void;
  /** Hangs up; nothing is called back any more. */
  cancel(): void;
}

/** What a request rejects with: the system's error, and what is known about the request beside it. */
export interface HttpFailure extends Error {
  readonly code?: string;
  /** The server may have seen some of it. */
  readonly sent: boolean;
  /** It went over a connection that an earlier request had used; servers close those when they like. */
  readonly reused: boolean;
}

/** HTTP with connections kept open, through the proxies that the environment names. Redirects are not followed. */
export interface Http {
  /** Rejects with `HttpFailure` when no answer came; an error status is an answer. */
  request(request: HttpRequest): Promise<HttpResponse>;
  /** Lets go of idle connections. */
  close(): void;
}

/** Secrets that the operating system keeps. */
export interface Keychain {
  /** Nothing when there is no such entry. Rejects when there is no keychain, or when it stays locked. */
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
  /** Does nothing if there is no such entry. Rejects if there is no keychain, or if it stays locked. */
  remove(name: string): Promise<void>;
}

export interface Browser {
  /** Shows a page to the person, without a shell. Answers whether something was started that might. */
  open(url: URL): Promise<boolean>;
}

export interface LoopbackRequest {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  readonly host: string;
}

export interface LoopbackAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface LoopbackServer {
  readonly port: number;
  /** Stops listening at once; answers on the way are let out. */
  close(): Promise<void>;
}

/** A small web server for this machine alone. */
export interface Loopback {
  /** Port 0 is any free one. Rejects with code `EADDRINUSE` when the port is taken. */
  listen(
    port: number,
    answer: (request: LoopbackRequest) => LoopbackAnswer | Promise<LoopbackAnswer>,
  ): Promise<LoopbackServer>;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that only grow, whatever is done to the time of day. Where there is none, `now` serves. */
  elapsed?(): number;
  /** Calls back once after `ms`; the answer calls it off. In the background it does not keep the program alive. */
  after(ms: number, callback: () => void, options?: { readonly background?: boolean }): () => void;
}

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface Log {
  log(level: LogLevel, event: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Everything outside the program that a host touches. */
export interface Ports {
  readonly files: Files;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly http: Http;
  readonly keychain: Keychain;
  readonly browser: Browser;
  readonly loopback: Loopback;
  readonly log: Log;
}
