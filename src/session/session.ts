import { type OfferKind, sameTools } from "../bridge/index.ts";
import { type AgentTool, type NamingStyle, notifyListener } from "../model/index.ts";
import { createArranger, type SessionMode } from "./arrange-tools.ts";
import { joinInstructions } from "./instructions.ts";

export interface SessionOptions {
  /** Only these servers; all when left out. */
  readonly servers?: readonly string[];
  /** Only what these bundles hold, and of their servers only. */
  readonly bundles?: readonly string[];
  /** `direct` unless said otherwise, here or by a bundle. */
  readonly mode?: SessionMode;
  /** Which tools to find and call tools are handed out: ours, or ToolLoop's three. */
  readonly metaTools?: "search" | "toolloop";
  /** Resources and prompts as tools too: `mcp_list_resources`, `mcp_read_resource`, `mcp_get_prompt`. */
  readonly offers?: readonly OfferKind[];
  /** How the tools are named; the settings decide when left out. */
  readonly naming?: NamingStyle;
  /** An earlier session of the same conversation: its tools keep their names. */
  readonly continues?: Session | undefined;
}

/** The tools an agent holds at one moment. They do not change under a step that is using them. */
export interface SessionSnapshot {
  readonly revision: number;
  readonly tools: readonly AgentTool[];
}

/** What one agent holds: its tools, replaced as a whole when the servers change. */
export interface Session {
  /** The tools as they are now; connects where nothing is known of a server yet. */
  tools(): Promise<readonly AgentTool[]>;
  /** The tools as last read, without touching any server. */
  snapshot(): SessionSnapshot;
  /** Told after each replacement. The answer stops it. */
  subscribe(listener: (snapshot: SessionSnapshot) => void): () => void;
  /** What the servers want the model to know: their words, not the person's. */
  instructions(): Promise<string>;
  close(): void;
}

/** Called directly when the tools that a server offers may have changed. Events are for observers. */
export interface ToolsListener {
  toolsChanged(server: string): void;
}

export interface SessionSource {
  /** Those for what servers offer beside tools; always the same. */
  readonly offers: readonly AgentTool[];
  tools(): Promise<readonly AgentTool[]>;
  instructions(): Promise<readonly { readonly server: string; readonly text: string }[]>;
  /** Registers the session until it is closed. Returns a function that removes it. */
  register(session: ToolsListener): () => void;
  /** What definitions may cost before `auto` hands out the tools to find them. */
  readonly tokenBudget: number;
  /** Does a bundle of this session ask for that? */
  isMeta(server: string): boolean;
  /** Told of a listener that failed; it hurts nobody else. */
  onListenerError(error: unknown): void;
}

export function createSession(source: SessionSource, options: SessionOptions): Session {
  const { servers, mode = "direct", metaTools: style = "search" } = options;
  const { tokenBudget } = source;
  const arrange = createArranger({ mode, style, tokenBudget, isMeta: (server) => source.isMeta(server) });
  const isMine = (server: string): boolean => servers === undefined || servers.includes(server);
  const listeners = new Set<(snapshot: SessionSnapshot) => void>();
  let snapshot: SessionSnapshot = Object.freeze({ revision: 0, tools: Object.freeze([...source.offers]) });
  let held: readonly AgentTool[] = [];
  /** Those of its servers whose tools are only found, by a bundle's word. */
  let heldMeta = "[]";
  const metaIn = (tools: readonly AgentTool[]): string =>
    JSON.stringify([...new Set(tools.map(({ server }) => server))].filter((server) => source.isMeta(server)));
  let readings = 0;
  let newest = 0;

  const tellAll = (): void => {
    for (const listener of Array.from(listeners))
      notifyListener(listener, snapshot, (error) => source.onListenerError(error));
  };
  /** A reading that was overtaken by a newer one, or that found nothing new, replaces nothing. */
  const replace = async (): Promise<SessionSnapshot> => {
    readings += 1;
    const reading = readings;
    const found = (await source.tools()).filter(({ server }) => isMine(server));
    if (reading < newest) return snapshot;
    newest = reading;
    const meta = metaIn(found);
    if (meta === heldMeta && sameTools(held, found)) return snapshot;
    heldMeta = meta;
    held = found;
    snapshot = Object.freeze({
      revision: snapshot.revision + 1,
      tools: Object.freeze([...source.offers, ...arrange(found)]),
    });
    tellAll();
    return snapshot;
  };
  let hasNews = false;
  let isFollowing = false;
  /** However many servers change meanwhile, they are read once more. */
  const follow = async (): Promise<void> => {
    if (isFollowing) return;
    isFollowing = true;
    while (hasNews) {
      hasNews = false;
      await replace().catch(() => undefined);
    }
    isFollowing = false;
  };
  const unregister = source.register({
    toolsChanged(server) {
      if (!isMine(server)) return;
      hasNews = true;
      void follow();
    },
  });
  return {
    tools: async () => (await replace()).tools,
    snapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async instructions() {
      const texts = (await source.instructions()).filter(({ server }) => isMine(server));
      return joinInstructions(texts);
    },
    close() {
      unregister();
      hasNews = false;
      listeners.clear();
    },
  };
}
