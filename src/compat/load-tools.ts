import { openHost } from "../host.ts";
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

/** What a round of discovering and connecting brought. */
export interface MCPLoadResult {
  readonly tools: readonly AgentTool[];
  /** Why a server could not be used, by its name. */
  readonly errors: ReadonlyMap<string, string>;
  readonly connectedServers: readonly string[];
  /** What is wrong with files and entries, and every value that was omitted. */
  readonly problems: readonly Problem[];
}

/** The manager of the seeds: everything is discovered and connected at once, and held until it is let go. */
export class MCPManager {
  readonly #options: HostOptions;
  #host: Promise<Host> | undefined;
  #tools: readonly AgentTool[] = [];

  constructor(cwd?: string, options: HostOptions = {}) {
    const settings = { naming: "seeds", ...options.settings } as const;
    this.#options = { ...options, settings, ...(cwd !== undefined && { cwd }), eager: false };
  }

  /**
   * Reads every file, connects to every server that may run, and lists its tools. Never rejects for a server's sake; when it is
   * overtaken by another, or by `disconnectAll`, it does.
   */
  async discoverAndConnect(): Promise<MCPLoadResult> {
    const opening = this.disconnectAll().then(() => createHost(this.#options));
    this.#host = opening; // at once: whoever comes next ends it
    const host = await opening;
    const problems = collectProblems(host);
    await host.connectAll();
    const tools = await host.tools();
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

  /** The tools as last loaded. */
  getTools(): readonly AgentTool[] {
    return this.#tools;
  }

  /**
   * Resolves header and env values and puts the sign-in that `auth.credentialId` names in place, as connecting does: a header
   * `Authorization` for a remote server, the variable `OAUTH_ACCESS_TOKEN` for a local one. What cannot be resolved is left out and
   * logged. Rejects for a server from a repository's file that is not approved.
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

  async disconnectAll(): Promise<void> {
    const host = this.#host;
    this.#host = undefined;
    this.#tools = [];
    await (await host?.catch(() => undefined))?.close();
  }
}

export interface LoadedTools {
  readonly manager: MCPManager;
  readonly tools: readonly {
    readonly path: string;
    readonly resolvedPath: string;
    readonly tool: AgentTool;
  }[];
  readonly errors: readonly { readonly path: string; readonly error: string }[];
  readonly connectedServers: readonly string[];
  /** What is wrong with files and entries, and every value that was omitted. */
  readonly problems: readonly Problem[];
}

/** The headless way of the seeds: every tool, what went wrong with each server, and which are connected. */
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
