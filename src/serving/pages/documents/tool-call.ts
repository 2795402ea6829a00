import { createHash } from "node:crypto";
import { checkArguments, patternsFor } from "../../../bridge/index.ts";
import { canonicalJson, HostError, type JsonObject, type ToolResult } from "../../../model/index.ts";
import { callTool, type Workspace } from "../../../operations/index.ts";
import { elapsed } from "../../../platform/index.ts";
import { launchHash, toolHash } from "../../../policy/index.ts";
import { toClientError } from "../../eras/to-client-error.ts";
import type { CallDocument, PreviewDocument } from "../api/server-documents.ts";
import type { PageContext } from "../page-context.ts";
import { PageFailure } from "../page-failure.ts";
import type { KnownTool } from "./tool-rows.ts";

const LONGEST_TEXT = 100_000;
const MOST_IMAGES = 2 * 1024 * 1024;
/** Types that cannot contain a program, unlike SVG. */
const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

/** Returns what a call would do. It is not made. */
export async function previewFromPage(tool: KnownTool, args: JsonObject): Promise<PreviewDocument> {
  const { definition, decision } = tool;
  const { inputSchema } = definition;
  return {
    decision: decision.answer,
    rule: decision.rule,
    complaints: checkArguments(args, inputSchema, await patternsFor(inputSchema)),
    hash: callHash(tool, args),
  };
}

/** Covers everything that a person sees before the call: the server's launch, the tool's definition and the arguments. */
function callHash({ lists: { server }, definition }: KnownTool, args: JsonObject): string {
  return createHash("sha256")
    .update(canonicalJson([server.name, launchHash(server), toolHash(definition), args]))
    .digest("hex");
}

/** The parts of a tool call from a page. */
export interface PageCall {
  readonly args: JsonObject;
  /** The hash of the preview that the person approved. */
  readonly approval: string | undefined;
  readonly signal: AbortSignal;
}

/** Calls a tool for a page. It is decided, limited and recorded like the call of a client. */
export async function callFromPage(
  { gateway, lists }: PageContext,
  tool: KnownTool,
  { args, approval, signal }: PageCall,
): Promise<CallDocument> {
  const { definition, decision } = tool;
  const { name: server } = tool.lists.server;
  const hash = callHash(tool, args);
  if (approval !== undefined && approval !== hash)
    throw new PageFailure(
      409,
      "PAGE_OUTDATED",
      "The call is not the one that was shown.",
      "Look at it again.",
    );
  if (decision.answer === "ask" && approval === undefined)
    throw new HostError("INTERACTION_REQUIRED", `The call needs your approval: ${decision.rule}.`, {
      server,
    });
  const { clock } = gateway.workspace.ports;
  const started = elapsed(clock);
  const request = lists.request("tools/call", { name: definition.name, arguments: args }, signal);
  const record = gateway.audit.start(request);
  gateway.audit.note(request, { server, item: definition.name });
  try {
    const result = await gateway.requestLimits.run(request, () =>
      lists.use(server, signal, (workspace) => {
        const era = workspace.supervisor.running(server)?.facts.era;
        if (era !== undefined) gateway.audit.note(request, { era });
        const asked = approval === undefined ? workspace : withApproval(workspace, tool, args);
        return callTool(asked, server, definition.name, args, { signal, textLimit: LONGEST_TEXT });
      }),
    );
    record({ result: { isError: result.isError } }, result.text.length);
    return describeResult(result, elapsed(clock) - started);
  } catch (error) {
    const { redactor } = gateway.workspace;
    record(signal.aborted ? { isCancelled: true } : { error: toClientError(error, request, redactor) }, 0);
    throw error;
  }
}

/** The person approved this call only: with these arguments, and with the tool's definition as it was shown. */
function withApproval(workspace: Workspace, { definition }: KnownTool, args: JsonObject): Workspace {
  const hash = toolHash(definition);
  const given = canonicalJson(args);
  const people: Workspace["people"] = {
    ...workspace.people,
    onCall: async (asked) => asked.hash === hash && canonicalJson(asked.args) === given,
  };
  return { ...workspace, people };
}

function describeResult(
  { text, parts, structured, isError, details }: ToolResult,
  durationMs: number,
): CallDocument {
  let left = MOST_IMAGES;
  const images = parts.flatMap((part) => {
    if (part.type !== "image") return [];
    const mimeType = IMAGES.find((type) => type === part.mimeType);
    if (mimeType === undefined || part.data.length > left || !/^[\w+/=-]*$/.test(part.data)) return [];
    left -= part.data.length;
    return [{ mimeType, data: part.data }];
  });
  const isCut = text.length > LONGEST_TEXT || details.artifacts?.some(isText) === true;
  return {
    isError,
    text: text.slice(0, LONGEST_TEXT),
    isTruncated: isCut,
    ...(structured !== undefined && { structured }),
    images,
    durationMs: Math.round(durationMs),
  };
}

function isText({ mimeType }: { readonly mimeType: string }): boolean {
  return mimeType.startsWith("text/");
}
