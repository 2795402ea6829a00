import { createHash } from "node:crypto";
import { type Hello, watchListener } from "./daemon/index.ts";
import { canonicalJson } from "./model/index.ts";
import { type OpenedServing, openServing } from "./open-serving.ts";
import type { Clock } from "./platform/index.ts";
import { nodeListener } from "./platform/node/index.ts";
import { type GuardEvent, type HttpServer, type MeasuredServer, ResourceGuard } from "./serving/index.ts";

/** A workspace without clients is closed after this time. */
const KEPT_MS = 600_000;

/** How many workspaces without clients are kept. Each checks its config files every second. */
const MOST_UNUSED = 16;
/** The same limit, including workspaces that clients use over HTTP. */
const MOST_UNUSED_HTTP = 64;

/**
 * Variables that differ between two windows of one terminal, or change with every command. Because of them, clients that can share
 * servers would not. Workspaces do not get them, because one client would get another client's values.
 */
const OF_TERMINAL =
  /^(?:_|SHLVL|PWD|OLDPWD|COLUMNS|LINES|WINDOWID|TMUX|TMUX_PANE|STY|WT_SESSION|GPG_TTY|TTY|XDG_SESSION_ID|INVOCATION_ID|JOURNAL_STREAM|(?:TERM|ITERM)_SESSION_ID|SSH_(?:TTY|CLIENT|CONNECTION)|VSCODE_.*|npm_(?:lifecycle_.*|package_.*|command|execpath|node_execpath|config_(?:cache|call|global_?prefix|globalconfig|init_module|local_prefix|node_gyp|noproxy|npm_version|package|prefix|user_agent|userconfig|yes)))$/;

/** What one project folder and one set of variables need: a host and its servers. */
export interface DaemonWorkspace {
  readonly cwd: string;
  readonly opened: OpenedServing;
  /** Returns the HTTP server of this workspace, on a free port of the loopback interface. Starts it on first use. */
  http(): Promise<HttpServer>;
  /** Returns the names of the variables that have different values in this workspace. */
  otherVariables(variables: Hello["variables"]): readonly string[];
  /** Stops the HTTP server. */
  closeHttp(): Promise<void>;
  /** How long it has been unused over HTTP, in milliseconds. */
  unusedMs(): number;
}

/** The workspaces of a daemon. */
export interface DaemonWorkspaces {
  /** Returns the workspace for a client, until `release` is called. */
  use(hello: Hello): Promise<{ readonly workspace: DaemonWorkspace; release(): void }>;
  /** Returns whether a client uses a workspace over HTTP. */
  isUsedOverHttp(): boolean;
  /** Returns the open workspaces. */
  all(): readonly DaemonWorkspace[];
  /** Stops all HTTP servers. */
  closeHttp(): Promise<void>;
  /** Measures all running servers. */
  measure(): Promise<readonly DaemonServer[]>;
  readonly guard: Pick<ResourceGuard, "events" | "totalBytes">;
  close(): Promise<void>;
}

export interface WorkspaceParts {
  readonly clock: Clock;
  /** The machine's memory in bytes, if it is known. */
  readonly machineBytes: number | undefined;
  /** Called when a server ends because of its memory, or because too many run. */
  onGuardEvent(event: GuardEvent): void;
}

/** A running server and the folder of its clients. */
export interface DaemonServer extends MeasuredServer {
  readonly cwd: string;
}

/** Creates workspaces for the clients' folders and variables. Clients with equal ones share servers. */
export function createDaemonWorkspaces({
  clock,
  machineBytes,
  onGuardEvent,
}: WorkspaceParts): DaemonWorkspaces {
  interface Entry {
    readonly opening: Promise<DaemonWorkspace>;
    workspace?: DaemonWorkspace;
    users: number;
    stopTimer: () => void;
  }
  const entries = new Map<string, Entry>();
  const opened = new Set<DaemonWorkspace>();
  const guard = new ResourceGuard({
    servers: () => Array.from(opened).flatMap((workspace) => workspace.opened.serving.processes()),
    limits: () => opened.values().next().value?.opened.serving.resourceLimits(),
    clock,
    machineBytes,
    onEvent: onGuardEvent,
  });

  const open = async (hello: Hello): Promise<DaemonWorkspace> => {
    const { cwd } = hello;
    const variables = sharedVariables(hello);
    const listener = watchListener(nodeListener, clock);
    const serving = await openServing({ cwd, env: variables, eager: false }, {}, { listener, guard });
    let http: Promise<HttpServer> | undefined;
    const workspace: DaemonWorkspace = {
      cwd,
      opened: serving,
      http() {
        http ??= serving.serving.serveHttp({ port: 0 }).catch((error: unknown) => {
          http = undefined;
          throw error;
        });
        return http;
      },
      otherVariables: (others) =>
        Object.keys({ ...variables, ...others })
          .filter((name) => !OF_TERMINAL.test(name) && variables[name] !== others[name])
          .toSorted(),
      async closeHttp() {
        const server = http;
        http = undefined;
        await server?.then((running) => running.close()).catch(() => {});
      },
      unusedMs: () => (http === undefined ? Number.POSITIVE_INFINITY : listener.unusedMs()),
    };
    opened.add(workspace);
    return workspace;
  };
  const close = async (key: string, entry: Entry): Promise<void> => {
    entry.stopTimer();
    if (entries.get(key) === entry) entries.delete(key);
    const workspace = await entry.opening.catch(() => undefined);
    if (workspace === undefined) return;
    await workspace.opened.close().catch(() => {});
    opened.delete(workspace);
  };
  const closeLater = (key: string, entry: Entry): void => {
    const check = async (): Promise<void> => {
      const workspace = await entry.opening.catch(() => undefined);
      if (entry.users > 0 || entries.get(key) !== entry) return;
      if (workspace !== undefined && workspace.unusedMs() < KEPT_MS) closeLater(key, entry);
      else await close(key, entry);
    };
    entry.stopTimer = clock.after(KEPT_MS, () => void check(), { background: true });
  };

  /** Closes the workspaces that were unused for the longest time, if there are too many. */
  const makeRoom = (): void => {
    const unused = Array.from(entries).filter(([, { users }]) => users === 0);
    const isOverHttp = ([, { workspace }]: (typeof unused)[number]): boolean =>
      (workspace?.unusedMs() ?? Number.POSITIVE_INFINITY) < KEPT_MS;
    const plain = unused.filter((one) => !isOverHttp(one));
    const http = unused.filter(isOverHttp);
    const excess = [...plain.slice(0, -MOST_UNUSED), ...http.slice(0, -MOST_UNUSED_HTTP)];
    for (const [key, entry] of excess) void close(key, entry);
  };

  return {
    async use(hello) {
      const key = keyOf(hello);
      let entry = entries.get(key);
      if (entry === undefined) {
        entry = { opening: open(hello), users: 0, stopTimer: () => {} };
        entries.set(key, entry);
      }
      const used = entry;
      used.users += 1;
      used.stopTimer();
      entries.delete(key); // the most recently used one is last
      entries.set(key, used);
      let isReleased = false;
      const release = (): void => {
        if (isReleased) return;
        isReleased = true;
        used.users -= 1;
        if (used.users > 0) return;
        closeLater(key, used);
        makeRoom();
      };
      try {
        used.workspace = await used.opening;
        return { workspace: used.workspace, release };
      } catch (error) {
        entries.delete(key); // the files may be readable again for the next client
        throw error;
      }
    },
    isUsedOverHttp: () => Array.from(opened).some((workspace) => workspace.unusedMs() < KEPT_MS),
    closeHttp: async () => void (await Promise.all(Array.from(opened, (workspace) => workspace.closeHttp()))),
    all: () => Array.from(opened),
    async measure() {
      const folders = new Map(
        Array.from(opened).flatMap(({ cwd, opened: { serving } }) =>
          serving.processes().map(({ process: { pid } }) => [pid, cwd] as const),
        ),
      );
      const measured = await guard.measure(true);
      return measured.map((server) => ({ ...server, cwd: folders.get(server.pid) ?? "" }));
    },
    guard,
    async close() {
      guard.stop();
      await Promise.all(Array.from(entries, ([key, entry]) => close(key, entry)));
    },
  };
}

/** Returns the variables that are equal for all clients of a workspace. */
function sharedVariables({ variables }: Hello): Hello["variables"] {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !OF_TERMINAL.test(name)));
}

function keyOf(hello: Hello): string {
  return createHash("sha256")
    .update(canonicalJson([hello.cwd, sharedVariables(hello)]))
    .digest("hex");
}
