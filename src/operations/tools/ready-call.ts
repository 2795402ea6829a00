import type { Connection } from "../../connection/index.ts";
import type { Bundle, CallOptions, JsonObject, Server, ToolDefinition } from "../../model/index.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";
import { isAcceptable } from "./check-call.ts";
import { decideTool } from "./tool-access.ts";

/** What a call needs, once it may be made. */
export interface ReadyCall {
  readonly server: Server;
  readonly tool: ToolDefinition;
  readonly connection: Connection;
}

/** What is asked for, and by whom. */
export interface WantedCall extends Pick<CallOptions, "account" | "approved"> {
  readonly server: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly bundles?: readonly Bundle[] | undefined;
}

/**
 * Nearly every call is of a server that runs, of a tool that was looked at, and is let pass: all that can be told at once.
 * The same questions are asked as on the long way, of what is in memory. Nothing where one of them needs waiting for, a person,
 * or a no: the long way does that, and has the words.
 */
export function readyCall(workspace: Workspace, wanted: WantedCall): ReadyCall | undefined {
  const { args, bundles, account } = wanted;
  const server = workspace.inventory().servers.get(wanted.server);
  if (server === undefined || account !== undefined) return undefined;
  const tools = workspace.catalogs.inMemory(catalogSubject(server))?.tools;
  const tool = tools && toolNamed(tools, wanted.tool);
  const standing = tools && workspace.pins.standingNow(server, tools);
  if (tool === undefined || standing === undefined) return undefined;
  const { answer } = decideTool(workspace, server, tool, { ...standing, bundles });
  if (answer === "deny" || (answer === "ask" && wanted.approved !== true)) return undefined;
  if (!isAcceptable(tool, args)) return undefined;
  const connection = workspace.supervisor.running(server.name);
  return connection && { server, tool, connection };
}

const indexes = new WeakMap<readonly ToolDefinition[], ReadonlyMap<string, ToolDefinition>>();

/** By its name, however many there are. */
function toolNamed(tools: readonly ToolDefinition[], name: string): ToolDefinition | undefined {
  let index = indexes.get(tools);
  if (index === undefined) {
    index = new Map(tools.map((tool) => [tool.name, tool]));
    indexes.set(tools, index);
  }
  return index.get(name);
}
