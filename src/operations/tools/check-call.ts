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
import type { ToolDecision } from "../../policy/index.ts";
import type { PinEffects } from "../approvals/tool-pins.ts";
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

/** How a call is made. */
interface CallConditions extends Pick<CallOptions, "account" | "approved">, CallerRules {
  /** The server checks the arguments itself. */
  readonly unchecked?: boolean | undefined;
}

/**
 * The fast path: makes the same checks as the slow path, on what is in memory. Returns `undefined` if a check needs to wait,
 * needs a person, or fails; the slow path then reports why.
 */
export function readyCall(
  workspace: Workspace,
  serverName: string,
  toolName: string,
  args: JsonObject,
  conditions: CallConditions,
): ReadyCall | undefined {
  const inventory = workspace.inventory();
  const server = inventory.servers.get(serverName);
  if (server === undefined || conditions.account !== undefined) return undefined;
  const tools = workspace.catalogs.inMemory(catalogSubject(server))?.tools;
  if (tools === undefined) return undefined;
  const pinEffects = workspace.pins.standingNow(server, tools);
  if (pinEffects === undefined) return undefined;
  const known = knownTools(workspace, inventory, server, tools, pinEffects, conditions);
  const found = known.byName.get(toolName) ?? decideOnce(known, toolName);
  if (found === undefined) return undefined;
  const { tool, answer, hasPatterns } = found;
  if (answer === "deny" || (answer === "ask" && conditions.approved !== true)) return undefined;
  if (conditions.unchecked !== true && (hasPatterns || checkArguments(args, tool.inputSchema).length > 0))
    return undefined;
  const connection = workspace.supervisor.running(serverName);
  return connection && { server, tool, connection };
}

interface DecidedTool {
  readonly tool: ToolDefinition;
  readonly answer: ToolDecision["answer"];
  /** Whether checking its arguments requires the engine for regular expressions. */
  readonly hasPatterns: boolean;
}

/** The decisions about a server's tools, and everything they depend on. A change replaces one of the objects. */
interface DecidedTools extends CallerRules {
  readonly workspace: Workspace;
  readonly inventory: ReturnType<Workspace["inventory"]>;
  readonly server: Server;
  readonly tools: readonly ToolDefinition[];
  readonly pinEffects: PinEffects;
  /** The tools that were called so far. */
  readonly byName: Map<string, DecidedTool>;
}

const lastDecided = new WeakMap<Server, DecidedTools>();

/** Returns the last decisions if nothing that they depend on was replaced, else none. */
function knownTools(
  workspace: Workspace,
  inventory: DecidedTools["inventory"],
  server: Server,
  tools: readonly ToolDefinition[],
  pinEffects: PinEffects,
  { bundles, lists, callerDefault }: CallerRules,
): DecidedTools {
  const last = lastDecided.get(server);
  if (
    last !== undefined &&
    last.inventory === inventory &&
    last.tools === tools &&
    last.pinEffects === pinEffects &&
    last.bundles === bundles &&
    last.lists === lists &&
    last.callerDefault === callerDefault &&
    last.workspace === workspace
  )
    return last;
  const byName = new Map<string, DecidedTool>();
  const fresh = { workspace, inventory, server, tools, pinEffects, bundles, lists, callerDefault, byName };
  lastDecided.set(server, fresh);
  return fresh;
}

function decideOnce(known: DecidedTools, name: string): DecidedTool | undefined {
  const { workspace, server, tools, pinEffects, byName } = known;
  const tool = toolsByName(tools).get(name);
  if (tool === undefined) return undefined;
  const { answer } = decideTool(workspace, server, tool, pinEffects, known);
  const decided = { tool, answer, hasPatterns: patternsFor(tool.inputSchema) !== undefined };
  byName.set(name, decided);
  return decided;
}

/** Avoids searching the list on every call. */
const toolsByName = memoize(
  (tools: readonly ToolDefinition[]): ReadonlyMap<string, ToolDefinition> =>
    new Map(tools.map((tool) => [tool.name, tool])),
);
