import type { Connection } from "../../connection/index.ts";
import {
  type CallOptions,
  type CallToolParams,
  canonicalJson,
  HostError,
  isForModels,
  type JsonObject,
  messageOf,
  nearest,
  notifyListener,
  type SandboxDenial,
  type Server,
  someNames,
  type ToolDefinition,
  type ToolResult,
} from "../../model/index.ts";
import { nextTurn } from "../../platform/index.ts";
import { isTrusted, type ToolDecision, toolHash } from "../../policy/index.ts";
import type { Session } from "../../session/index.ts";
import { isWrapped, withMeta, wrapCall } from "../calls/wrap-call.ts";
import type { SessionFunctions } from "../functions/session-functions.ts";
import { onServer, type ServerAccess, unlessCancelled } from "../lifecycle/on-server.ts";
import { askInBackground } from "../sandbox/ask-denials.ts";
import { recordDenials } from "../sandbox/record-denials.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";
import { accountTools } from "./account-tools.ts";
import { askForCall } from "./ask-for-call.ts";
import { toCallError } from "./call-error.ts";
import { checkCall, checkResult, type ReadyCall, readyCall } from "./check-call.ts";
import { toAgentResult } from "./to-agent-result.ts";
import { assertAllowed, type CallerRules, decideName, decideTool } from "./tool-access.ts";
import { LONGEST_MS, withinTimeout } from "./within-timeout.ts";

/** Arguments for a call, or a function that creates them from the tool's definition. */
export type GivenArguments = JsonObject | ((tool: ToolDefinition) => JsonObject | Promise<JsonObject>);

/** Options for `callTool`. */
export interface ToolCallOptions extends CallOptions, CallerRules {
  /** The session that makes the call. */
  readonly session?: Session | undefined;
  /** Call one of these functions instead of a server's tool. */
  readonly functions?: SessionFunctions | undefined;
  /** Leave the check of the arguments to the server, whose refusal is relayed. */
  readonly unchecked?: boolean | undefined;
}

/** Finds the tool, checks the arguments, makes the call and converts the result. */
export function callTool(
  workspace: Workspace,
  server: string,
  tool: string,
  given: GivenArguments,
  options: ToolCallOptions,
): Promise<ToolResult> {
  const { timeout } = options;
  if (timeout === undefined) return passCall(workspace, server, tool, given, options);
  return withinTimeout(workspace.ports.clock, { ...options, server, timeout }, (signal) =>
    passCall(workspace, server, tool, given, { ...options, signal }),
  );
}

/** Makes a call, through the program's middleware if there is any. */
function passCall(
  workspace: Workspace,
  server: string,
  tool: string,
  given: GivenArguments,
  options: ToolCallOptions,
): Promise<ToolResult> {
  if (!isWrapped(workspace)) return useTool(workspace, server, tool, given, options, sendCall);
  let approvedArgs: string | undefined;
  return wrapCall(workspace, {
    kind: "tool",
    server,
    tool,
    context: options,
    async check() {
      const unasked = { ...options, approved: true }; // a person is asked later, with the final arguments
      const args = await useTool(workspace, server, tool, given, unasked, async (_, __, checked) => checked);
      approvedArgs = options.approved === true ? canonicalJson(args) : undefined;
      return args;
    },
    async make(changed) {
      if (changed === undefined) return useTool(workspace, server, tool, given, options, sendCall);
      const { args } = changed;
      const final = { ...withMeta(options, changed), approved: approvedArgs === canonicalJson(args) };
      return useTool(workspace, server, tool, args, final, sendCall);
    },
  });
}

/** Uses a tool whose call is allowed. */
type UseTool<T> = (
  workspace: Workspace,
  call: ReadyCall,
  args: JsonObject,
  options: ToolCallOptions,
) => Promise<T>;

/**
 * Finds a tool, checks the policy and the arguments, asks a person if needed, and then uses the tool. Every call passes here, including
 * those that a gateway relays.
 */
export function useTool<T>(
  workspace: Workspace,
  serverName: string,
  toolName: string,
  given: GivenArguments,
  options: ToolCallOptions,
  use: UseTool<T>,
): Promise<T> {
  const slowly = (failed?: unknown): Promise<T> =>
    useWithCare(workspace, serverName, toolName, given, options, use, failed);
  if (typeof given === "function" || options.functions !== undefined) return slowly();
  let ready: ReadyCall | undefined;
  try {
    ready = readyCall(workspace, serverName, toolName, given, options);
  } catch {
    return slowly(); // reports why
  }
  return ready === undefined ? slowly() : use(workspace, ready, given, options).catch(slowly);
}

/** Like `useTool`, for calls that wait or fail. `failed` is the error of the first attempt, which a sign-in may resolve. */
function useWithCare<T>(
  workspace: Workspace,
  serverName: string,
  toolName: string,
  given: GivenArguments,
  options: ToolCallOptions,
  use: UseTool<T>,
  failed: unknown,
): Promise<T> {
  const { signal, account, functions, unchecked } = options;
  let isApproved = options.approved === true;
  let args: JsonObject = typeof given === "function" ? {} : given;
  const judge = async (server: Server, { tool, tools }: Found): Promise<ToolDecision> => {
    const pinEffects = await workspace.pins.standing(server, tools);
    const decision = decideTool(workspace, server, tool, pinEffects, options);
    assertAllowed(decision, serverName, toolName);
    if (typeof given === "function") args = await given(tool);
    if (unchecked !== true) await checkCall(tool, args, serverName);
    return decision;
  };
  const locate = async ({ use, connect }: ServerAccess): Promise<LocatedTool> => {
    if (functions !== undefined) return locateFunction(functions, toolName);
    const server = await use();
    assertAllowed(decideName(workspace, server, toolName, options), serverName, toolName);
    const isRunning = workspace.supervisor.state(serverName)?.kind === "connected";
    if (account === undefined && !isRunning && typeof given !== "function") {
      const known = await findFresh(workspace, server, toolName);
      if (known !== undefined) await judge(server, known); // do not start a server for a call that will be refused
    }
    // A server that is not running starts while its list is checked.
    const connecting = connect();
    connecting.catch(() => {}); // awaited below, unless another error comes first
    await nextTurn(); // lets the process start first
    const found = await findTool(workspace, server, toolName, account === undefined ? undefined : connecting);
    return { server, found, connecting };
  };
  const prepare = async (access: ServerAccess): Promise<ReadyCall> => {
    const { server, found, connecting } = await locate(access);
    const decision = await judge(server, found);
    if (decision.answer === "ask" && !isApproved) {
      const { rule, isDefault } = decision;
      const hash = toolHash(found.tool);
      const request = { server: serverName, tool: toolName, args, rule, isDefault, hash };
      await askForCall(workspace, request, signal);
    }
    isApproved = true; // a retry after a sign-in must not ask again
    return { server, tool: found.tool, connection: await connecting };
  };
  const isSlow = typeof given === "function" || functions !== undefined;
  let isTried = failed !== undefined;
  const run = async (access: ServerAccess): Promise<T> => {
    if (isTried) {
      isTried = false;
      throw failed;
    }
    const conditions = { ...options, approved: isApproved };
    const ready = isSlow ? undefined : readyCall(workspace, serverName, toolName, args, conditions);
    if (ready !== undefined) return use(workspace, ready, args, options);
    return unlessCancelled(signal, () => prepare(access), serverName).then((prepared) =>
      use(workspace, prepared, args, options),
    );
  };
  return onServer(workspace, { server: serverName, account, signal }, run);
}

/** Sends a call to its server and converts the result. Most results need no waiting. */
function sendCall(
  workspace: Workspace,
  call: ReadyCall,
  args: JsonObject,
  options: ToolCallOptions,
): Promise<ToolResult> {
  const { server, tool, connection } = call;
  const { signal, onProgress, meta } = options;
  const params: CallToolParams =
    meta === undefined
      ? { name: tool.name, arguments: args }
      : { name: tool.name, arguments: args, _meta: meta };
  const onStep = announceProgress(workspace, { server: server.name, tool: tool.name, onProgress });
  const repeatable = isRepeatable(call);
  // The signal of `withinTimeout` enforces the caller's limit.
  const timeoutMs = options.timeout === undefined ? server.timeoutMs : LONGEST_MS;
  const request = { timeoutMs, signal, onProgress: onStep, repeatable };
  const { launch } = server;
  const isSandboxed = launch?.transport === "stdio" && launch.sandbox !== undefined;
  const failed = async (error: unknown): Promise<never> => {
    if (isSandboxed) await reportDenials(workspace, server.name, messageOf(error), args);
    throw toCallError(error, server.name);
  };
  return connection.request("tools/call", params, request).then((raw) => {
    const converted = toAgentResult(workspace, server, tool.name, raw, options);
    const result =
      isSandboxed && raw["isError"] === true ? withDenials(workspace, args, converted) : converted;
    if (tool.outputSchema === undefined && !(result instanceof Promise)) return result;
    return withOutputChecked(tool, result).catch(failed);
  }, failed);
}

/** Adds to a failed result what the server's sandbox refused, and asks a person about it. */
async function withDenials(
  workspace: Workspace,
  args: JsonObject,
  converted: ToolResult | Promise<ToolResult>,
): Promise<ToolResult> {
  const result = await converted;
  const denied = await reportDenials(workspace, result.details.serverName, result.text, args);
  return denied.length === 0 ? result : { ...result, details: { ...result.details, denied } };
}

async function reportDenials(
  workspace: Workspace,
  server: string,
  text: string,
  args: JsonObject,
): Promise<readonly SandboxDenial[]> {
  const denied = await recordDenials(workspace, server, text, args);
  askInBackground(workspace, server, denied);
  return denied;
}

/** Returns whether a call may be sent twice. Annotations count only if the server is trusted. */
export function isRepeatable({ server, tool: { annotations } }: ReadyCall): boolean {
  return (annotations?.readOnlyHint === true || annotations?.idempotentHint === true) && isTrusted(server);
}

/** Checks a result against the tool's output schema. If it does not match, reports that and drops the structured content. */
async function withOutputChecked(
  tool: ToolDefinition,
  converted: ToolResult | Promise<ToolResult>,
): Promise<ToolResult> {
  const result = await converted;
  if (tool.outputSchema === undefined) return result;
  const outputProblem = await checkResult(tool, result);
  if (outputProblem === undefined) return result;
  const { structured: _, ...rest } = result;
  return { ...rest, details: { ...result.details, outputProblem } };
}

/** Limits how often progress events are published. */
const ANNOUNCE_EVERY_MS = 50;

interface Announced {
  readonly server: string;
  readonly tool: string;
  readonly onProgress: CallOptions["onProgress"];
}

/** Progress is always requested, because it extends the timeout. The caller receives all of it; events are limited. */
function announceProgress(
  { events, ports: { clock, log } }: Workspace,
  { server, tool, onProgress }: Announced,
): NonNullable<CallOptions["onProgress"]> {
  let last = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const now = clock.now();
    if (now - last >= ANNOUNCE_EVERY_MS || now < last) {
      last = now;
      events.publish({ type: "call.progress", server, tool, progress });
    }
    if (onProgress !== undefined)
      notifyListener(onProgress, progress, (error) =>
        log.log("error", "listener.failed", { error: messageOf(error) }),
      );
  };
}

/** A tool whose call is not decided yet. */
interface LocatedTool {
  readonly server: Server;
  readonly found: Found;
  readonly connecting: Promise<ReadyCall["connection"]>;
}

async function locateFunction(
  { server, tools, connection }: SessionFunctions,
  name: string,
): Promise<LocatedTool> {
  const all = await tools();
  const tool = all.find((each) => each.name === name);
  if (tool === undefined) throw new HostError("TOOL_UNKNOWN", `There is no function "${name}".`);
  return { server, found: { tool, tools: all }, connecting: Promise.resolve(connection) };
}

interface Found {
  readonly tool: ToolDefinition;
  readonly tools: readonly ToolDefinition[];
}

/** Finds a tool in a cached list that has not expired. */
async function findFresh({ catalogs }: Workspace, server: Server, name: string): Promise<Found | undefined> {
  const known = await catalogs.peek(catalogSubject(server));
  if (known === undefined || known.stale.tools) return undefined;
  const { tools } = known.catalog;
  const tool = tools.find((candidate) => candidate.name === name);
  return tool && { tool, tools };
}

/** Finds a tool. If the cached list does not contain it, reads the list from the server, because the tool may be new. */
export async function findTool(
  workspace: Workspace,
  server: Server,
  name: string,
  ofAccount?: Promise<Connection>,
): Promise<Found> {
  const subject = catalogSubject(server);
  const known = ofAccount ? [] : ((await workspace.catalogs.peek(subject))?.catalog.tools ?? []);
  const cached = known.find((tool) => tool.name === name);
  if (cached !== undefined) return { tool: cached, tools: known };
  const tools = ofAccount
    ? await accountTools(workspace, server, await ofAccount, (list) => list.some((one) => one.name === name))
    : (await workspace.catalogs.refresh(subject)).catalog.tools;
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return { tool, tools };
  const names = tools
    .filter(isForModels)
    .map((candidate) => candidate.name)
    .filter((candidate) => decideName(workspace, server, candidate).answer !== "deny");
  const close = nearest(name, names);
  let hint = names.length === 0 ? "It offers no tools." : `It offers ${someNames(names)}.`;
  if (close !== undefined) hint = `Did you mean "${close}"?`;
  throw new HostError("TOOL_UNKNOWN", `Server "${server.name}" has no tool "${name}".`, {
    server: server.name,
    hint,
  });
}
