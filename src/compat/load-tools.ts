import { openHost } from "../host.ts";
import { knownOptions } from "../host-options.ts";
import {
  type AgentTool,
  createHost,
  type Host,
  HostError,
  type HostOptions,
  messageOf,
  type Problem,
} from "../index.ts";
import { prepareConfig, programServers, type Workspace } from "../operations/index.ts";
import type { MCPServerConfig } from "./capability.ts";
import { collectProblems } from "./collect-problems.ts";

/** The result of `MCPManager.discoverAndConnect`. */
export interface MCPLoadResult {
  /** The tools of all connected servers. */
  readonly tools: readonly AgentTool[];
  /** Why servers could not be used, by name. */
  readonly errors: ReadonlyMap<string, string>;
  /** The names of the connected servers. */
  readonly connectedServers: readonly string[];
  /** Problems with files and entries, and values that were omitted. */
  readonly problems: readonly Problem[];
}

/** Discovers and connects all servers at once, and keeps the connections open until `disconnectAll`. */
export class MCPManager {
  readonly #options: HostOptions;
  #host: Promise<Host> | undefined;
  #tools: readonly AgentTool[] = [];

  constructor(cwd?: string, options: HostOptions = {}) {
    const settings = { naming: "seeds", ...options.settings } as const;
    this.#options = { ...knownOptions(options), settings, ...(cwd !== undefined && { cwd }), eager: false };
  }

  /**
   * Reads all config files, connects to every server that may run, and lists its tools. Closes earlier connections first. Does not
   * reject if a server fails. Rejects if another call or `disconnectAll` interrupts it.
   */
  async discoverAndConnect(): Promise<MCPLoadResult> {
    const opening = this.disconnectAll().then(() => createHost(this.#options));
    this.#host = opening; // set before waiting, so that the next call closes it
    const host = await opening;
    const problems = collectProblems(host);
    await host.connectAll();
    const tools = await host.tools({ connect: false }); // every server that could connect has connected
    if (this.#host === opening) this.#tools = tools;
    const views = host.servers();
    const failed = views.filter(({ state }) => state !== "connected" && state !== "disabled");
    return {
      tools,
      errors: new Map(failed.map(({ name, state, because }) => [name, because ?? `it is ${state}`])),
      connectedServers: views.filter(({ state }) => state === "connected").map(({ name }) => name),
      problems: problems(),
    };
  }

  /** Returns the tools as last loaded. */
  getTools(): readonly AgentTool[] {
    return this.#tools;
  }

  /**
   * Resolves header and `env` values and adds the sign-in that `auth.credentialId` refers to: the header `Authorization` for a remote
   * server, or the variable `OAUTH_ACCESS_TOKEN` for a local one. Values that cannot be resolved are omitted and logged. Rejects if
   * the server is from a project's file and not approved.
   */
  async prepareConfig(config: MCPServerConfig): Promise<MCPServerConfig> {
    let workspace: Workspace | undefined;
    const name = "config";
    const { servers: _, ...options } = this.#options;
    const host = await openHost({ ...options, discover: false }, programServers({ [name]: config }), {
      diskCache: false,
      onWorkspace: (opened) => {
        workspace = opened;
      },
    });
    try {
      if (workspace === undefined) throw new HostError("INTERNAL_BUG", "The host has no workspace.");
      const { config: prepared, problems } = await prepareConfig(workspace, name);
      for (const { message } of problems) workspace.ports.log.log("warn", "MCP config", { message });
      return { ...config, ...prepared };
    } finally {
      await host.close();
    }
  }

  /** Closes all connections. */
  async disconnectAll(): Promise<void> {
    const host = this.#host;
    this.#host = undefined;
    this.#tools = [];
    await (await host?.catch(() => undefined))?.close();
  }
}

/** The result of `discoverAndLoadMCPTools`. */
export interface LoadedTools {
  /** The manager that holds the connections. Call `disconnectAll` on it when you are done. */
  readonly manager: MCPManager;
  /** The tools, with the paths `mcp:<server>` and `mcp:<tool>`. */
  readonly tools: readonly {
    readonly path: string;
    readonly resolvedPath: string;
    readonly tool: AgentTool;
  }[];
  /** Why servers could not be used, with the path `mcp:<server>`. */
  readonly errors: readonly { readonly path: string; readonly error: string }[];
  /** The names of the connected servers. */
  readonly connectedServers: readonly string[];
  /** Problems with files and entries, and values that were omitted. */
  readonly problems: readonly Problem[];
}

/** Discovers and connects all servers and returns their tools. Never rejects; failures are in `errors`. */
export async function discoverAndLoadMCPTools(cwd?: string, options: HostOptions = {}): Promise<LoadedTools> {
  const manager = new MCPManager(cwd, options);
  try {
    const { tools, errors, connectedServers, problems } = await manager.discoverAndConnect();
    return {
      manager,
      tools: tools.map((tool) => ({ path: `mcp:${tool.server}`, resolvedPath: `mcp:${tool.name}`, tool })),
      errors: [...errors].map(([server, error]) => ({ path: `mcp:${server}`, error })),
      connectedServers,
      problems,
    };
  } catch (error) {
    await manager.disconnectAll();
    const errors = [{ path: "mcp", error: messageOf(error) }];
    return { manager, tools: [], errors, connectedServers: [], problems: [] };
  }
}
