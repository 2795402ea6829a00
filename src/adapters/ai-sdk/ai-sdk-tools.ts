import type { AgentTool, SessionToolsOptions } from "../../index.ts";
import { sourceFor } from "../keep-definitions.ts";
import { lastTools, readTools, type ToolSource } from "../tool-source.ts";
import { forEachYielding } from "../yielding.ts";
import { type AiSdkTool, type AiSdkToolOptions, toAiSdkTool } from "./to-ai-sdk-tool.ts";

/** Tools for the AI SDK. */
export interface AiSdkTools {
  /** A tool set that follows the session: each step sees the current tools. */
  readonly tools: Readonly<Record<string, AiSdkTool>>;
  /** Returns the current tools as a set that does not change. */
  snapshot(): Readonly<Record<string, AiSdkTool>>;
  /** Returns a `search` function for `toolSearch({ search })`, to use with `deferLoading`: `searchWith((query) => host.search(query))`. */
  searchWith(
    find: (query: string) => Promise<readonly Pick<AgentTool, "server" | "tool">[]>,
  ): (options: { readonly query: string }) => Promise<string[]>;
}

/** Converts the tools of a session or a list for the AI SDK. */
export async function aiSdkTools(
  from: ToolSource,
  options: AiSdkToolOptions & SessionToolsOptions = {},
): Promise<AiSdkTools> {
  const source = sourceFor(from, options);
  await readTools(source, options);
  let held: readonly AgentTool[] | undefined;
  let set: Readonly<Record<string, AiSdkTool>> = {};
  const known = new WeakMap<AgentTool, AiSdkTool>();
  const toTool = (tool: AgentTool): AiSdkTool => {
    const made = known.get(tool) ?? toAiSdkTool(tool, options);
    known.set(tool, made);
    return made;
  };
  const snapshot = (): Readonly<Record<string, AiSdkTool>> => {
    const now = lastTools(source);
    if (now !== held) {
      held = now;
      set = Object.freeze(Object.fromEntries(now.map((tool) => [tool.name, toTool(tool)])));
    }
    return set;
  };
  await forEachYielding(Object.values(snapshot()), ({ inputSchema }) => inputSchema); // otherwise the SDK would convert all tools at once
  return {
    tools: follow(snapshot),
    snapshot,
    searchWith:
      (find) =>
      async ({ query }) => {
        const found = await find(query);
        return found.flatMap(({ server, tool }) =>
          lastTools(source)
            .filter((each) => each.server === server && each.tool === tool)
            .map(({ name }) => name),
        );
      },
  };
}

/** Returns a read-only object that always has the members of `current()`. */
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
