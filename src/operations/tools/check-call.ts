import { checkArguments, checkOutput, describeParameters, patternsFor } from "../../bridge/index.ts";
import type { Connection } from "../../connection/index.ts";
import {
  type Bundle,
  type CallOptions,
  HostError,
  type JsonObject,
  memoize,
  type Server,
  type ToolDefinition,
  type ToolResult,
} from "../../model/index.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";
import { decideTool } from "./tool-access.ts";

/** Throws if the arguments do not match the tool's schema. The message tells a model how to correct them. */
export async function checkCall(
  { name, inputSchema }: ToolDefinition,
  args: JsonObject,
  server: string,
): Promise<void> {
  const complaints = checkArguments(args, inputSchema, await patternsFor(inputSchema));
  if (complaints.length === 0) return;
  const message = `Invalid arguments for "${name}": ${complaints.join("; ")}.`;
  throw new HostError("TOOL_ARGUMENTS_INVALID", message, { server, hint: describeParameters(inputSchema) });
}

/** Returns whether the arguments are valid; `false` if checking them would need to load something. */
function isAcceptable({ inputSchema }: ToolDefinition, args: JsonObject): boolean {
  return patternsFor(inputSchema) === undefined && checkArguments(args, inputSchema).length === 0;
}

/** Describes how a result differs from the tool's output schema; `undefined` if it does not. */
export async function checkResult(
  { outputSchema }: ToolDefinition,
  { structured, isError }: ToolResult,
): Promise<string | undefined> {
  if (outputSchema === undefined || isError) return undefined;
  if (structured === undefined)
    return "the result has no structured content, but the tool declares an output schema";
  const complaints = checkOutput(structured, outputSchema, await patternsFor(outputSchema));
  return complaints.length === 0
    ? undefined
    : `the result does not match the tool's output schema: ${complaints.join("; ")}`;
}

/** An allowed call, with everything needed to make it. */
export interface ReadyCall {
  readonly server: Server;
  readonly tool: ToolDefinition;
  readonly connection: Pick<Connection, "request">;
}

/** A requested call. */
interface WantedCall extends Pick<CallOptions, "account" | "approved"> {
  readonly server: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly bundles?: readonly Bundle[] | undefined;
}

/**
 * The fast path: makes the same checks as the slow path, on what is in memory. Returns `undefined` if a check needs to wait,
 * needs a person, or fails; the slow path then reports why.
 */
export function readyCall(workspace: Workspace, wanted: WantedCall): ReadyCall | undefined {
  const { args, bundles, account } = wanted;
  const server = workspace.inventory().servers.get(wanted.server);
  if (server === undefined || account !== undefined) return undefined;
  const tools = workspace.catalogs.inMemory(catalogSubject(server))?.tools;
  const tool = tools && toolsByName(tools).get(wanted.tool);
  const standing = tools && workspace.pins.standingNow(server, tools);
  if (tool === undefined || standing === undefined) return undefined;
  const { answer } = decideTool(workspace, server, tool, { ...standing, bundles });
  if (answer === "deny" || (answer === "ask" && wanted.approved !== true)) return undefined;
  if (!isAcceptable(tool, args)) return undefined;
  const connection = workspace.supervisor.running(server.name);
  return connection && { server, tool, connection };
}

/** Avoids searching the list on every call. */
const toolsByName = memoize(
  (tools: readonly ToolDefinition[]): ReadonlyMap<string, ToolDefinition> =>
    new Map(tools.map((tool) => [tool.name, tool])),
);
