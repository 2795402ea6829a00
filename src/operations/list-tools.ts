import { type BridgeOptions, byName, type ToolSource, toAgentTools } from "../bridge/index.ts";
import type { AgentTool, Server } from "../model/index.ts";
import { nextTurn } from "../platform/index.ts";
import { callTool } from "./call-tool.ts";
import { withSignIn } from "./sign-in.ts";
import { useServer } from "./use-server.ts";
import { catalogSubject, decide, type Workspace } from "./workspace.ts";

/** The tools of one server. Rejects when they cannot be had. */
export async function listServerTools(
  workspace: Workspace,
  name: string,
  refresh: boolean,
): Promise<AgentTool[]> {
  const read = async (): Promise<ToolSource> =>
    readSource(workspace, await useServer(workspace, name), refresh);
  return bridge(workspace, [await withSignIn(workspace, name, read)]);
}

/** The tools of every server that may run. A server that cannot be reached is a problem and hides no other. */
export async function listAllTools(workspace: Workspace, refresh: boolean): Promise<AgentTool[]> {
  const servers = [...workspace.inventory().servers.values()].filter(
    (server) => decide(workspace, server).allowed,
  );
  const sources = await Promise.all(
    servers.map(async (server) => {
      try {
        return [await readSource(workspace, server, refresh)];
      } catch {
        return []; // its state says why
      }
    }),
  );
  return bridge(workspace, sources.flat());
}

async function readSource({ catalogs }: Workspace, server: Server, refresh: boolean): Promise<ToolSource> {
  const subject = catalogSubject(server);
  const { catalog, stale } = await (refresh ? catalogs.refresh(subject) : catalogs.get(subject));
  return { server: server.name, source: server.provenance, tools: catalog.tools, stale: stale.tools };
}

/** Ten thousand tools must not hold up the rest: they are bridged in slices, with a turn for others in between. */
const TOOLS_PER_TURN = 1_000;

async function bridge(workspace: Workspace, sources: readonly ToolSource[]): Promise<AgentTool[]> {
  const collisions = workspace.names.assign(
    sources.flatMap(({ server, tools }) => tools.map(({ name }) => ({ server, tool: name }))),
  );
  for (const { loser, winner } of collisions) {
    const message = `tool "${loser.tool}" of "${loser.server}" would have the name of "${winner.tool}" of "${winner.server}"; it is offered as ${workspace.names.nameOf(loser)}`;
    workspace.events.publish({
      type: "problem",
      problem: { code: "name-collision", severity: "warning", message, server: loser.server },
    });
  }
  const options: BridgeOptions = {
    names: workspace.names,
    invoke: (server, tool, args, call) => callTool(workspace, server, tool, args, call),
  };
  const total = sources.reduce((sum, { tools }) => sum + tools.length, 0);
  if (total <= TOOLS_PER_TURN) return toAgentTools(sources, options);
  const bridged: AgentTool[] = [];
  for (const source of sources) {
    for (let start = 0; start < source.tools.length; start += TOOLS_PER_TURN) {
      await nextTurn();
      const tools = source.tools.slice(start, start + TOOLS_PER_TURN);
      bridged.push(...toAgentTools([{ ...source, tools }], options));
    }
  }
  return bridged.sort(byName);
}

/** What connected servers want the model to know. */
export async function listInstructions(workspace: Workspace): Promise<{ server: string; text: string }[]> {
  const servers = [...workspace.inventory().servers.values()].filter(
    (server) => decide(workspace, server).allowed,
  );
  const known = await Promise.all(
    servers.map(async (server) => ({ server, known: await workspace.catalogs.peek(catalogSubject(server)) })),
  );
  return known.flatMap(({ server, known: { catalog } = {} }) =>
    catalog?.instructions === undefined ? [] : [{ server: server.name, text: catalog.instructions }],
  );
}
