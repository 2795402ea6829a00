import type { AgentTool } from "../../index.ts";
import { heldTools, readTools, type ToolSource } from "../tool-source.ts";
import { searchTools } from "./search-tools.ts";
import { type AiSdkTool, type AiSdkToolOptions, toAiSdkTool } from "./to-ai-sdk-tool.ts";

export interface AiSdkOptions extends AiSdkToolOptions {
  /** Finds tools for `toolSearch`: their names, the best first. */
  readonly search?: (
    query: string,
    tools: readonly AgentTool[],
  ) => readonly string[] | Promise<readonly string[]>;
}

export interface AiSdkTools {
  /** A tool set that follows the session: each step sees the tools as they are then. */
  readonly tools: Readonly<Record<string, AiSdkTool>>;
  /** The tools as they are now, which do not change any more. */
  snapshot(): Readonly<Record<string, AiSdkTool>>;
  /** The backend for `toolSearch({ search })`, with `deferLoading`. */
  search(options: {
    readonly query: string;
    readonly tools: readonly { readonly name: string }[];
  }): Promise<string[]>;
}

/** The tools of a session, or of a list, as the AI SDK takes them. */
export async function aiSdkTools(source: ToolSource, options: AiSdkOptions = {}): Promise<AiSdkTools> {
  await readTools(source);
  let held: readonly AgentTool[] | undefined;
  let set: Readonly<Record<string, AiSdkTool>> = {};
  const snapshot = (): Readonly<Record<string, AiSdkTool>> => {
    const now = heldTools(source);
    if (now !== held) {
      held = now;
      set = Object.freeze(Object.fromEntries(now.map((tool) => [tool.name, toAiSdkTool(tool, options)])));
    }
    return set;
  };
  return {
    tools: follow(snapshot),
    snapshot,
    async search({ query, tools }) {
      const offered = new Set(tools.map(({ name }) => name));
      const candidates = heldTools(source).filter(({ name }) => offered.has(name));
      return [...(await (options.search ?? searchTools)(query, candidates))];
    },
  };
}

/** An object that has at any time the members that `current` has then. It cannot be written to. */
function follow<T extends object>(current: () => T): T {
  const target: Partial<T> = {};
  return new Proxy(target, {
    get: (_, key) => Reflect.get(current(), key) as unknown,
    has: (_, key) => Reflect.has(current(), key),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor(_, key) {
      const found = Reflect.getOwnPropertyDescriptor(current(), key);
      return found && { ...found, configurable: true };
    },
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
  }) as T;
}
