import { type OfferKind, type SearchMemory, sameTools } from "../bridge/index.ts";
import {
  type AgentTool,
  type BundleChoice,
  type CallAnswer,
  type FunctionSchema,
  type FunctionTool,
  type MissingTools,
  type NamingStyle,
  notifyListener,
  PROGRAM_NAME,
  type WaitOptions,
} from "../model/index.ts";
import { createArranger, type SessionMode, type ToolSlots } from "./arrange-tools.ts";
import { joinInstructions } from "./instructions.ts";

/** The schemas of a session's functions, by name. */
export type FunctionSchemas = Readonly<Record<string, FunctionSchema>>;

/** HTTP headers to add to the requests to some remote servers, by server. */
export type SessionHeaders = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Options for `host.session`. All are optional. */
export interface SessionOptions<Schemas extends FunctionSchemas = FunctionSchemas> {
  /** Limits the session to these servers. Default: all. */
  readonly servers?: readonly string[];
  /** Limits the session to the tools in these bundles. Pass the ID of a configured bundle, or define a bundle for this session. Default: all tools. */
  readonly bundles?: readonly BundleChoice[];
  /** Use only those servers' tools whose names match one of these patterns; `*` matches any text. Default: all tools. */
  readonly allowTools?: readonly string[];
  /** Do not use servers' tools whose names match one of these patterns. They take precedence over `allowTools`. */
  readonly denyTools?: readonly string[];
  /** How tools are passed to the model. Default: `"direct"`, except for servers whose bundle has `mode: "meta"`. */
  readonly mode?: SessionMode;
  /** Which search tools to use in `"meta"` mode: Plugboard's (`"search"`) or ToolLoop's (`"toolloop"`). Default: `"search"`. */
  readonly metaTools?: "search" | "toolloop";
  /** Adds tools for resources and prompts: `mcp_list_resources`, `mcp_read_resource`, `mcp_get_prompt`. Default: none. */
  readonly offers?: readonly OfferKind[];
  /** The program's own functions, by the name that the model uses. They pass the same checks as servers' tools. */
  readonly tools?: { readonly [Name in keyof Schemas]: FunctionTool<Schemas[Name]> };
  /** How tools are named. Default: the `naming` setting. */
  readonly naming?: NamingStyle;
  /** The person that the session is for: uses that person's sign-ins, secrets and approvals. Default: the host's own user. */
  readonly principal?: string;
  /** HTTP headers for the requests to some remote servers, by server. The session does not share its connections to them. */
  readonly headers?: SessionHeaders;
  /** An earlier session of the same conversation. Its tools keep their names. */
  readonly continues?: Session | undefined;
  /**
   * How to handle this session's calls for which neither the server's entry nor the settings have an `approval` rule. Default:
   * `"allow"`.
   */
  readonly approval?: CallAnswer;
}

/** An agent's tools at one moment. A snapshot never changes. */
export interface SessionSnapshot {
  /** Increases with every change of the tools. */
  readonly revision: number;
  /** The tools. */
  readonly tools: readonly AgentTool[];
  /** Servers of this session whose tools were requested and are not known, because they are slow or failed. */
  readonly missing: readonly MissingTools[];
}

/** Options for `session.tools`. */
export interface SessionToolsOptions extends WaitOptions {
  /** How long to wait for servers whose tools are not cached, in milliseconds; 0 does not wait. Default: 2,000. */
  readonly waitMs?: number | undefined;
}

/** A set of tools for one agent. The whole set is replaced when the servers change. */
export interface Session {
  /**
   * Reads and returns the current tools. Connects to servers whose tools are not cached and waits at most `waitMs` for them. Tools that
   * arrive later are added to the session. A server that was too slow or failed does not delay the next calls.
   */
  tools(options?: SessionToolsOptions): Promise<readonly AgentTool[]>;
  /** Returns the tools as last read. Contacts no server. */
  snapshot(): SessionSnapshot;
  /** Calls the listener after each change of the tools. Returns an unsubscribe function. */
  subscribe(listener: (snapshot: SessionSnapshot) => void): () => void;
  /** Returns the servers' instructions for the model, marked as text from servers. */
  instructions(options?: WaitOptions): Promise<string>;
  /** Stops following the servers, removes all listeners, and closes connections that only this session uses. */
  close(): void;
}

/** Receives a direct call when a server's tools may have changed. Events are for observers. */
export interface ToolsListener {
  toolsChanged(server: string): void;
}

/** The parts of the host that a session uses. */
export interface SessionSource {
  /** Tools for resources and prompts. They never change. */
  readonly offers: readonly AgentTool[];
  tools(options?: SessionToolsOptions): Promise<readonly AgentTool[]>;
  /** Returns the servers whose tools were requested and are not known, and those that the session names and cannot use. */
  missing(): readonly MissingTools[];
  instructions(options?: WaitOptions): Promise<readonly { readonly server: string; readonly text: string }[]>;
  /** Registers the session until it is closed. Returns a function that removes it. */
  register(session: ToolsListener): () => void;
  /** Mode `auto` passes all definitions up to this cost, and only search tools above it. */
  readonly tokenBudget: number;
  /** Returns whether one of the session's bundles has `mode: "meta"` for the server. */
  isMeta(server: string): boolean;
  /** What was learned from calls after earlier searches. */
  readonly memory: SearchMemory;
  /** The tools that mode `auto` passes directly. */
  readonly slots: ToolSlots;
  /** Called with errors that listeners throw. */
  onListenerError(error: unknown): void;
}

const NONE_MISSING: readonly MissingTools[] = Object.freeze([]);

function isSame(left: readonly MissingTools[], right: readonly MissingTools[]): boolean {
  return (
    left.length === right.length &&
    left.every((missing, at) =>
      (["server", "nextTry", "errorCode"] as const).every((key) => missing[key] === right[at]?.[key]),
    )
  );
}

/** Creates a session. */
export function createSession(source: SessionSource, options: SessionOptions): Session {
  const { servers, mode = "direct", metaTools: style = "search" } = options;
  const { tokenBudget, memory, slots } = source;
  const isMeta = (server: string): boolean => source.isMeta(server);
  const arrange = createArranger({ mode, style, tokenBudget, isMeta, memory, slots });
  const isSelected = (server: string): boolean =>
    servers === undefined || servers.includes(server) || server === PROGRAM_NAME;
  const listeners = new Set<(snapshot: SessionSnapshot) => void>();
  let snapshot: SessionSnapshot = Object.freeze({
    revision: 0,
    tools: Object.freeze([...source.offers]),
    missing: NONE_MISSING,
  });
  let held: readonly AgentTool[] = [];
  /** The servers in meta mode, as JSON. */
  let heldMeta = "[]";
  const metaIn = (tools: readonly AgentTool[]): string =>
    JSON.stringify([...new Set(tools.map(({ server }) => server))].filter((server) => source.isMeta(server)));
  let readings = 0;
  let newest = 0;

  const missing = (): readonly MissingTools[] => {
    const mine = source.missing().filter(({ server }) => isSelected(server));
    return mine.length === 0 ? NONE_MISSING : Object.freeze(mine);
  };
  /** Returns the snapshot with the servers that are missing now. It stays the same object if they are the same. */
  const current = (): SessionSnapshot => {
    const now = missing();
    if (!isSame(now, snapshot.missing)) snapshot = Object.freeze({ ...snapshot, missing: now });
    return snapshot;
  };
  const notifyAll = (): void => {
    for (const listener of Array.from(listeners))
      notifyListener(listener, snapshot, (error) => source.onListenerError(error));
  };
  /** Replaces the snapshot, unless a newer read has finished or nothing has changed. */
  const replace = async (wanted?: SessionToolsOptions): Promise<SessionSnapshot> => {
    readings += 1;
    const reading = readings;
    const found = (await source.tools(wanted)).filter(({ server }) => isSelected(server));
    if (reading < newest) return snapshot;
    newest = reading;
    const meta = metaIn(found);
    if (meta === heldMeta && sameTools(held, found)) return snapshot;
    heldMeta = meta;
    held = found;
    snapshot = Object.freeze({
      revision: snapshot.revision + 1,
      tools: Object.freeze([...source.offers, ...arrange(found)]),
      missing: missing(),
    });
    notifyAll();
    return snapshot;
  };
  let hasChanges = false;
  let isFollowing = false;
  /** Reads the tools once more, however many servers changed during the last read. */
  const follow = async (): Promise<void> => {
    if (isFollowing) return;
    isFollowing = true;
    while (hasChanges) {
      hasChanges = false;
      await replace().catch(() => undefined);
    }
    isFollowing = false;
  };
  const unregister = source.register({
    toolsChanged(server) {
      if (!isSelected(server)) return;
      hasChanges = true;
      void follow();
    },
  });
  return {
    tools: async (wanted) => (await replace(wanted)).tools,
    snapshot: current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async instructions(wanted) {
      const texts = (await source.instructions(wanted)).filter(({ server }) => isSelected(server));
      return joinInstructions(texts);
    },
    close() {
      unregister();
      hasChanges = false;
      listeners.clear();
    },
  };
}
