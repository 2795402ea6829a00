import { resolve } from "node:path";
import { performance } from "node:perf_hooks"; // the global is a getter, which costs more than the call
import type {
  Environment,
  Http,
  HttpListener,
  LocalSockets,
  Log,
  Peers,
  Ports,
  ProcessUse,
} from "../index.ts";
import { findHome } from "../index.ts";
import { accountHome } from "./account-home.ts";
import type { DetachedProcess, DetachedStart } from "./detached-process.lazy.ts";
import { nodeFiles } from "./files.ts";
import { isAloneIn } from "./groups.ts";
import { createNodeProcesses } from "./processes.ts";
import type { ServerProcess } from "./server-processes.lazy.ts";

import { tryKill } from "./signal.ts";

export type { ServerProcess } from "./server-processes.lazy.ts";

const silent: Log = { log: () => {} };

/** Returns the ports that are implemented with Node. */
export function nodePorts(log: Log = silent, variables: Environment["variables"] = process.env): Ports {
  return {
    files: nodeFiles,
    processes: createNodeProcesses(),
    clock: {
      now: () => Date.now(),
      elapsed: () => performance.now(),
      after(ms, callback, { background = false } = {}) {
        const timer = setTimeout(callback, ms);
        if (background) timer.unref();
        return () => clearTimeout(timer);
      },
    },
    http: createLazyHttp(variables),
    keychain: {
      read: async (name) => (await import("./keychain.lazy.ts")).nodeKeychain.read(name),
      write: async (name, text) => (await import("./keychain.lazy.ts")).nodeKeychain.write(name, text),
      remove: async (name) => (await import("./keychain.lazy.ts")).nodeKeychain.remove(name),
    },
    browser: { open: async (url) => (await import("./browser.lazy.ts")).openInBrowser(url) },
    loopback: { listen: async (port, answer) => (await import("./loopback.lazy.ts")).listen(port, answer) },
    proxy: {
      listen: async (rules, at) =>
        (await import("./forward-proxy.lazy.ts")).createForwardProxy().listen(rules, at),
    },
    log,
  };
}

/** Returns the environment of this process. A program can choose another working folder, home folder or variables. */
export function nodeEnvironment(
  given: { readonly cwd?: string; readonly home?: string; readonly env?: Environment["variables"] } = {},
  platform: string = process.platform,
): Environment {
  const { cwd, home, env = process.env } = given;
  const ownHome = (): string | undefined => findHome(platform, process.env, accountHome);
  return {
    platform,
    home: home ?? findHome(platform, env, env === process.env ? accountHome : ownHome),
    accountHome,
    cwd: cwd === undefined ? process.cwd() : resolve(cwd),
    variables: env,
    ...(process.geteuid && { user: { uid: process.geteuid(), isAloneIn } }),
  };
}

/** Loads Node's HTTP server with the first listener, because most runs have none. */
export const nodeListener: HttpListener = {
  listen: async (address, handle) =>
    (await import("./listener.lazy.ts")).nodeListener.listen(address, handle),
};

/** Loads Node's TLS with the first cluster, because most gateways have none. */
export async function openPeers(): Promise<Peers> {
  return (await import("./peers.lazy.ts")).createNodePeers();
}

/** Loads Node's sockets with the first connection, because most runs have none. */
export const nodeLocalSockets: LocalSockets = {
  connect: async (address) => (await import("./local-sockets.lazy.ts")).nodeLocalSockets.connect(address),
  listen: async (address, onConnection) =>
    (await import("./local-sockets.lazy.ts")).nodeLocalSockets.listen(address, onConnection),
};

/** Starts this program as a process that outlives this one. */
export async function startDetached(start: DetachedStart): Promise<DetachedProcess> {
  return (await import("./detached-process.lazy.ts")).startDetached(start);
}

/** Returns the processes of servers that Plugboard started in any process of this user. */
export async function findServerProcesses(): Promise<ServerProcess[]> {
  return (await import("./server-processes.lazy.ts")).findServerProcesses();
}

/** Kills a process. Does nothing if it has ended. */
export function killProcess(pid: number): void {
  tryKill(pid, "SIGKILL");
}

/** Returns a function that tells how much this process uses. */
export async function loadProcessUse(): Promise<() => ProcessUse> {
  return (await import("./process-use.lazy.ts")).processUse;
}

/** Returns the file that this process runs. */
export function entryFile(): string | undefined {
  return process.argv[1];
}

/** Returns the program that runs JavaScript in this process. */
export function runtimeFile(): string {
  return process.execPath;
}

/** Loads Node's HTTP client with the first request, because most runs make none. */
function createLazyHttp(variables: Environment["variables"]): Http {
  let loading: Promise<Http> | undefined;
  let loaded: Http | undefined;
  const load = async (): Promise<Http> => {
    loaded = (await import("./http.lazy.ts")).createNodeHttp(variables);
    return loaded;
  };
  return {
    async request(request) {
      loading ??= load();
      return (loaded ?? (await loading)).request(request);
    },
    close() {
      void loading?.then((http) => http.close());
      loading = loaded = undefined;
    },
  };
}
