import { type Host, messageOf, type ServerStateKind } from "../../../index.ts";
import { safeLine, safeText } from "../../../terminal.ts";
import { count } from "../../shared/render/server-list.ts";
import type { Screen } from "../screen.ts";

/** What a server was before a command, as far as it was known without asking it. */
interface Before {
  readonly state: ServerStateKind;
  readonly tools: readonly string[];
}

export interface ServerChanges {
  /** How everything is before a command; the answer tells what became of it. */
  look(): Promise<(options?: { readonly added?: string }) => void>;
  /** Connects without making anybody wait, and says what came of it. */
  connect(server: string, options?: { readonly added?: boolean; readonly before?: readonly string[] }): void;
  /** Is a connection under way whose end will be told here? */
  tells(server: string): boolean;
  /** Resolves when nothing goes on in the background any more. */
  settled(): Promise<void>;
}

const OFF: ReadonlySet<ServerStateKind> = new Set(["disabled", "untrusted", "invalid"]);

/** Tells on the screen what a command changed: who came, who went, with how many tools. */
export function createServerChanges(host: Host, screen: Screen): ServerChanges {
  const running = new Map<Promise<void>, string>();
  const { style } = screen;

  const look: ServerChanges["look"] = async () => {
    const before = new Map(
      host.servers().map(({ name, state }) => [name, { state, tools: [] as string[] }] as const),
    );
    for (const { server, tool } of await host.tools(undefined, { connect: false })) {
      const known = before.get(server);
      if (known?.state === "connected") known.tools.push(tool);
    }
    return ({ added } = {}) => {
      const now = new Map(host.servers().map(({ name, state }) => [name, state]));
      for (const name of new Set([...before.keys(), ...now.keys()]))
        tell(name, before.get(name), now.get(name), added);
    };
  };

  const tell = (
    name: string,
    before: Before | undefined,
    now: ServerStateKind | undefined,
    added: string | undefined,
  ): void => {
    const wasOn = before !== undefined && !OFF.has(before.state);
    const isOn = now !== undefined && !OFF.has(now);
    const tools = before?.tools ?? [];
    if (before?.state === "connected" && !isOn) {
      const removed = tools.length === 0 ? "" : ` · ${count(tools.length, "tool")} removed`;
      screen.print(`${style.dim("○")} ${safeLine(name)} disconnected${removed}`);
    }
    const isBack = wasOn && isOn && before.state === "connected" && now !== "connected";
    if ((!wasOn && isOn) || isBack) connect(name, { added: name === added, before: tools });
  };

  const connect: ServerChanges["connect"] = (name, { added = false, before = [] } = {}) => {
    if (added) screen.print(`${style.warn("◌")} Server is connecting in background...`);
    const work = arrive(name, added, before).finally(() => running.delete(work));
    running.set(work, name);
  };

  const arrive = async (name: string, added: boolean, before: readonly string[]): Promise<void> => {
    try {
      await host.connect(name);
      const tools = (await host.tools(name)).map(({ tool }) => tool);
      screen.print(`${style.good("●")} ${safeLine(name)} connected · ${difference(before, tools)}`);
    } catch (error) {
      const known = host.servers().find((server) => server.name === name);
      if (known === undefined || OFF.has(known.state)) return; // it was taken away meanwhile
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
