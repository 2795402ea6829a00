import { createHash } from "node:crypto";
import { type Hello, watchListener } from "./daemon/index.ts";
import { canonicalJson } from "./model/index.ts";
import { type OpenedServing, openServing } from "./open-serving.ts";
import type { Clock } from "./platform/index.ts";
import { nodeListener } from "./platform/node/index.ts";
import type { HttpServer } from "./serving/index.ts";

/** A workspace without clients is closed after this time. */
const KEPT_MS = 600_000;

/**
 * Variables that differ between two windows of one terminal program, or change with every command. They would keep clients apart
 * that can share servers.
 */
const OF_TERMINAL =
  /^(?:_|SHLVL|PWD|OLDPWD|COLUMNS|LINES|WINDOWID|TMUX|TMUX_PANE|STY|WT_SESSION|GPG_TTY|TTY|XDG_SESSION_ID|INVOCATION_ID|JOURNAL_STREAM|(?:TERM|ITERM)_SESSION_ID|SSH_(?:TTY|CLIENT|CONNECTION)|VSCODE_.*|npm_.*)$/;

/** What one project folder and one set of variables need: a host and its servers. */
export interface DaemonWorkspace {
  readonly cwd: string;
  readonly opened: OpenedServing;
  /** Returns the HTTP server of this workspace, on a free port of the loopback interface. Starts it on first use. */
  http(): Promise<HttpServer>;
  /** How long it was not used over HTTP, in milliseconds. */
  unusedMs(): number;
}

/** The workspaces of a daemon. */
export interface DaemonWorkspaces {
  /** Returns the workspace for a client, until `release` is called. */
  use(hello: Hello): Promise<{ readonly workspace: DaemonWorkspace; release(): void }>;
  /** Returns whether a client uses a workspace over HTTP. */
  isUsedOverHttp(): Promise<boolean>;
  /** Returns the open workspaces. */
  all(): Promise<readonly DaemonWorkspace[]>;
  close(): Promise<void>;
}

/** Creates workspaces for the clients' folders and variables. Clients with equal ones share servers. */
export function createDaemonWorkspaces(clock: Clock): DaemonWorkspaces {
  interface Entry {
    readonly opening: Promise<DaemonWorkspace>;
    users: number;
    stopTimer: () => void;
  }
  const entries = new Map<string, Entry>();

  const open = async ({ cwd, variables }: Hello): Promise<DaemonWorkspace> => {
    const listener = watchListener(nodeListener, clock);
    const opened = await openServing({ cwd, env: variables, eager: false }, {}, listener);
    opened.host.config.watch();
    let http: Promise<HttpServer> | undefined;
    return {
      cwd,
      opened,
      http() {
        http ??= opened.serving.serveHttp({ port: 0 }).catch((error: unknown) => {
          http = undefined;
          throw error;
        });
        return http;
      },
      unusedMs: () => (http === undefined ? Number.POSITIVE_INFINITY : listener.unusedMs()),
    };
  };
  const close = async (key: string, entry: Entry): Promise<void> => {
    entry.stopTimer();
    if (entries.get(key) === entry) entries.delete(key);
    await entry.opening.then(({ opened }) => opened.close()).catch(() => {});
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
  const all = async (): Promise<readonly DaemonWorkspace[]> => {
    const settled = await Promise.allSettled(Array.from(entries.values(), ({ opening }) => opening));
    return settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
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
      let isReleased = false;
      const release = (): void => {
        if (isReleased) return;
        isReleased = true;
        used.users -= 1;
        if (used.users === 0) closeLater(key, used);
      };
      try {
        return { workspace: await used.opening, release };
      } catch (error) {
        entries.delete(key); // the next client may find files that can be read
        throw error;
      }
    },
    isUsedOverHttp: async () => (await all()).some((workspace) => workspace.unusedMs() < KEPT_MS),
    all,
    async close() {
      await Promise.all(Array.from(entries, ([key, entry]) => close(key, entry)));
    },
  };
}

function keyOf({ cwd, variables }: Hello): string {
  const kept = Object.entries(variables).filter(([name]) => !OF_TERMINAL.test(name));
  return createHash("sha256")
    .update(canonicalJson([cwd, Object.fromEntries(kept)]))
    .digest("hex");
}
