import { type AgentTool, canonicalJson, type HostEvent } from "../model/index.ts";

export interface SessionOptions {
  /** Only these servers; all when left out. */
  readonly servers?: readonly string[];
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

export interface SessionSource {
  tools(): Promise<readonly AgentTool[]>;
  instructions(): Promise<readonly { readonly server: string; readonly text: string }[]>;
  subscribe(listener: (event: HostEvent) => void): () => void;
  /** Told of a listener that threw; it hurts nobody else. */
  onListenerError(error: unknown): void;
}

export function createSession(source: SessionSource, { servers }: SessionOptions): Session {
  const isMine = (server: string): boolean => servers === undefined || servers.includes(server);
  const listeners = new Set<(snapshot: SessionSnapshot) => void>();
  let snapshot: SessionSnapshot = Object.freeze({ revision: 0, tools: Object.freeze([]) });
  let content = contentOf(snapshot.tools);
  let readings = 0;
  let newest = 0;

  const tell = (): void => {
    for (const listener of Array.from(listeners)) {
      try {
        listener(snapshot);
      } catch (error) {
        source.onListenerError(error);
      }
    }
  };
  /** A reading that was overtaken by a newer one, or that found nothing new, replaces nothing. */
  const replace = async (): Promise<SessionSnapshot> => {
    readings += 1;
    const reading = readings;
    const tools = (await source.tools()).filter(({ server }) => isMine(server));
    const found = contentOf(tools);
    if (reading < newest) return snapshot;
    newest = reading;
    if (found === content) return snapshot;
    content = found;
    snapshot = Object.freeze({ revision: snapshot.revision + 1, tools: Object.freeze(tools) });
    tell();
    return snapshot;
  };
  const unsubscribe = source.subscribe((event) => {
    if (event.type === "tools.changed" && isMine(event.server)) void replace().catch(() => undefined);
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
      return texts.map(({ server, text }) => `## From the MCP server "${server}"\n\n${text}`).join("\n\n");
    },
    close() {
      unsubscribe();
      listeners.clear();
    },
  };
}

/** Tools that only grew older are the same tools. */
function contentOf(tools: readonly AgentTool[]): string {
  return canonicalJson(tools.map(({ stale: _, ...tool }) => tool));
}
