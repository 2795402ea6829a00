import { checkArguments, checkOutput, patternsFor, signatureOf } from "../../bridge/index.ts";
import type { Connection } from "../../connection/index.ts";
import {
  type CallOptions,
  HostError,
  type JsonObject,
  memoize,
  type Server,
  shortLine,
  type ToolDefinition,
  type ToolResult,
} from "../../model/index.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";
import { type CallerRules, decideTool } from "./tool-access.ts";

const LONGEST_SIGNATURE = 2_000;

/** Throws if the arguments do not match the tool's schema. The message tells a model how to correct them. */
export async function checkCall(
  { name, inputSchema }: ToolDefinition,
  args: JsonObject,
  server: string,
): Promise<void> {
  const complaints = checkArguments(args, inputSchema, await patternsFor(inputSchema));
  if (complaints.length === 0) return;
  const message = `Invalid arguments for "${name}": ${complaints.join("; ")}.`;
  const hint = `It is called as ${signatureOf(shortLine(name, 100), inputSchema, LONGEST_SIGNATURE)}.`;
  throw new HostError("TOOL_ARGUMENTS_INVALID", message, { server, hint });
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
  readonly connection: Pick<Connection, "request"> & Partial<Connection>;
}

/** A requested call. */
interface WantedCall extends Pick<CallOptions, "account" | "approved">, CallerRules {
  readonly server: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** The server checks the arguments itself. */
  readonly unchecked?: boolean | undefined;
}

/**
 * The fast path: makes the same checks as the slow path, on what is in memory. Returns `undefined` if a check needs to wait,
 * needs a person, or fails; the slow path then reports why.
 */
export function readyCall(workspace: Workspace, wanted: WantedCall): ReadyCall | undefined {
  const { args, account } = wanted;
  const server = workspace.inventory().servers.get(wanted.server);
  if (server === undefined || account !== undefined) return undefined;
  const tools = workspace.catalogs.inMemory(catalogSubject(server))?.tools;
  const tool = tools && toolsByName(tools).get(wanted.tool);
  const pinEffects = tools && workspace.pins.standingNow(server, tools);
  if (tool === undefined || pinEffects === undefined) return undefined;
  const { answer } = decideTool(workspace, server, tool, pinEffects, wanted);
  if (answer === "deny" || (answer === "ask" && wanted.approved !== true)) return undefined;
  if (wanted.unchecked !== true && !isAcceptable(tool, args)) return undefined;
  const connection = workspace.supervisor.running(server.name);
  return connection && { server, tool, connection };
}

/** Avoids searching the list on every call. */
const toolsByName = memoize(
  (tools: readonly ToolDefinition[]): ReadonlyMap<string, ToolDefinition> =>
    new Map(tools.map((tool) => [tool.name, tool])),
);
