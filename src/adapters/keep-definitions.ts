import type { AgentTool } from "../index.ts";
import type { AdapterOptions } from "./adapter-options.ts";
import { isList, type ToolSource } from "./tool-source.ts";

/** Providers reject longer names. */
const MOST_NAME_CHARACTERS = 64;
/** A server that keeps changing its tools must not make the list grow without limit. Beyond this, the list starts again. */
const MOST_OUTDATED = 100;

/** Existing wrappers, by the session or wrapper that they wrap. Some SDKs create a new adapter for each run, which must get the same wrapper. */
const wrappers = new WeakMap<object, ToolSource>();

/** Returns the source that an adapter reads. */
export function sourceFor(source: ToolSource, options: Pick<AdapterOptions, "keepDefinitions">): ToolSource {
  if (options.keepDefinitions !== true || isList(source)) return source;
  const wrapper = wrappers.get(source) ?? keepDefinitions(source);
  wrappers.set(source, wrapper);
  wrappers.set(wrapper, wrapper);
  return wrapper;
}

/**
 * Wraps a session so that the serialized list of its tools only grows, because providers cache a prompt up to its first change. New tools
 * are appended. A tool that a server changed is appended with a new name. A tool that a server removed stays, and its calls fail.
 */
function keepDefinitions(source: Exclude<ToolSource, readonly AgentTool[]>): ToolSource {
  let seen: readonly AgentTool[] | undefined;
  let kept = new Map<string, KeptTool>();
  let list: readonly AgentTool[] = [];
  const update = (tools: readonly AgentTool[]): readonly AgentTool[] => {
    if (tools === seen) return list;
    seen = tools;
    if (kept.size > 2 * tools.length + MOST_OUTDATED) kept = new Map();
    for (const tool of tools) keep(kept, tool);
    list = Array.from(kept.values(), (each) => each.tool);
    return list;
  };
  return {
    tools: async (...options) => update(await source.tools(...options)),
    snapshot() {
      const snapshot = source.snapshot();
      return { ...snapshot, tools: update(snapshot.tools) };
    },
    subscribe: (listener) =>
      source.subscribe((snapshot) => listener({ ...snapshot, tools: update(snapshot.tools) })),
  };
}

interface KeptTool {
  readonly tool: AgentTool;
  /** The name and the definition as the session has them. */
  readonly definition: string;
}

/** Replaces the tool that has the same definition, or else appends it. */
function keep(kept: Map<string, KeptTool>, tool: AgentTool): void {
  const { description, inputSchema } = tool;
  const definition = JSON.stringify([tool.name, description, inputSchema]);
  for (let version = 1; ; version += 1) {
    const name = version === 1 ? tool.name : versionName(tool.name, version);
    const held = kept.get(name);
    if (held !== undefined && held.definition !== definition) continue;
    const renamed = { ...tool, name, description: `Replaces ${tool.name}. ${description}` };
    kept.set(name, { definition, tool: version === 1 ? tool : renamed });
    return;
  }
}

function versionName(name: string, version: number): string {
  const ending = `_${version}`;
  return name.slice(0, MOST_NAME_CHARACTERS - ending.length) + ending;
}
