import { type Host, messageOf, type ServerStateKind } from "../../../index.ts";
import { safeLine, safeText } from "../../../terminal.ts";
import { count } from "../../shared/render/server-list.ts";
import { STATE_TRAITS } from "../../shared/render/state.ts";
import type { Screen } from "../screen.ts";

/** A server's state and cached tools before a command. */
interface Before {
  readonly state: ServerStateKind;
  readonly tools: readonly string[];
}

export interface ServerChanges {
  /** Records the servers before a command. Returns a function that reports what changed. */
  look(): Promise<(options?: { readonly added?: string }) => void>;
  /** Connects in the background and prints the result. */
  connect(server: string, options?: { readonly added?: boolean; readonly before?: readonly string[] }): void;
  /** Returns whether a connection is pending whose result will be printed here. */
  tells(server: string): boolean;
  /** Resolves when all background work is done. */
  settled(): Promise<void>;
}

/** The states of servers that do not run. */
export const OFF: ReadonlySet<ServerStateKind> = new Set(["disabled", "untrusted", "invalid"]);

/** Prints what a command changed: which servers connected or disconnected, with their tool counts. */
export function createServerChanges(host: Host, screen: Screen): ServerChanges {
  const running = new Map<Promise<void>, string>();
  const { style } = screen;

  const look: ServerChanges["look"] = async () => {
    const before = new Map(
      host.servers().map(({ name, state }) => [name, { state, tools: [] as string[] }] as const),
    );
    for (const { server, tool } of await host.tools({ connect: false })) {
      const known = before.get(server);
      if (known?.state === "connected") known.tools.push(tool);
    }
    return ({ added } = {}) => {
      const now = new Map(host.servers().map(({ name, state }) => [name, state]));
      for (const name of new Set([...before.keys(), ...now.keys()]))
        reportServer(name, before.get(name), now.get(name), added);
    };
  };

  const reportServer = (
    name: string,
    before: Before | undefined,
    now: ServerStateKind | undefined,
    added: string | undefined,
  ): void => {
    const wasRunning = before !== undefined && !OFF.has(before.state);
    const isOn = now !== undefined && !OFF.has(now);
    const tools = before?.tools ?? [];
    if (before?.state === "connected" && !isOn) {
      const removed = tools.length === 0 ? "" : ` · ${count(tools.length, "tool")} removed`;
      screen.print(`${style.dim("○")} ${safeLine(name)} disconnected${removed}`);
    }
    const wasReconnected = wasRunning && isOn && before.state === "connected" && now !== "connected";
    const isFixed = wasRunning && STATE_TRAITS[before.state].isTrouble && now === "idle";
    if ((!wasRunning && isOn) || wasReconnected || isFixed)
      connect(name, { added: name === added, before: tools });
  };

  const connect: ServerChanges["connect"] = (name, { added = false, before = [] } = {}) => {
    if (added) screen.print(`${style.warn("◌")} Server is connecting in background...`);
    const work = connectAndPrint(name, added, before).finally(() => running.delete(work));
    running.set(work, name);
  };

  const connectAndPrint = async (name: string, added: boolean, before: readonly string[]): Promise<void> => {
    try {
      await host.connect(name);
      const tools = (await host.tools(name)).map(({ tool }) => tool);
      screen.print(`${style.good("●")} ${safeLine(name)} connected · ${difference(before, tools)}`);
    } catch (error) {
      const known = host.servers().find((server) => server.name === name);
      if (known === undefined || OFF.has(known.state)) return; // removed or disabled in the meantime
      if (added) screen.print(`${style.warn("⚠")} Server added but not yet connected`);
      const message = safeText(messageOf(error)).replaceAll("\n", "\n  ");
      screen.print(`${added ? "  " : `${style.bad("✗")} `}${message}`);
      screen.print(`  ${style.dim("→")} /mcp test ${safeLine(name)}`);
    }
  };

  return {
    look,
    connect,
    tells: (server) => [...running.values()].includes(server),
    async settled() {
      while (running.size > 0) await Promise.all(running.keys());
    },
  };
}

function difference(before: readonly string[], now: readonly string[]): string {
  const [old, fresh] = [new Set(before), new Set(now)];
  const added = now.filter((tool) => !old.has(tool)).length;
  const removed = before.filter((tool) => !fresh.has(tool)).length;
  const parts = [
    ...(added > 0 ? [`${count(added, "tool")} added`] : []),
    ...(removed > 0 ? [`${count(removed, "tool")} removed`] : []),
  ];
  return parts.join(", ") || count(now.length, "tool");
}
