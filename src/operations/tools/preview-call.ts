import { checkArguments, patternsFor } from "../../bridge/index.ts";
import type { JsonObject } from "../../model/index.ts";
import { findServer } from "../lifecycle/find-server.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";
import { decideName, decideTool } from "./tool-access.ts";

/** What a call would send, and whether it is allowed. The call is not made. */
export interface CallPreview {
  /** The server's name. */
  readonly server: string;
  /** The tool's name on the server. */
  readonly tool: string;
  /** The request that would be sent. */
  readonly request: { readonly method: "tools/call"; readonly params: JsonObject };
  /** Whether the call is allowed, requires approval, or is denied. */
  readonly answer: "allow" | "ask" | "deny";
  /** The rule that decided this. */
  readonly rule: string;
  /** Errors in the arguments. Empty if the tool's definition is not cached. */
  readonly complaints: readonly string[];
  /** Whether the tool's definition is cached. */
  readonly isKnown: boolean;
}

/** Makes the same decision as a call. Does not connect: a tool without a cached definition is checked by its name only. */
export async function previewCall(
  workspace: Workspace,
  serverName: string,
  toolName: string,
  args: JsonObject,
): Promise<CallPreview> {
  const server = findServer(workspace, serverName);
  const tools = (await workspace.catalogs.peek(catalogSubject(server)))?.catalog.tools ?? [];
  const tool = tools.find(({ name }) => name === toolName);
  const decision =
    tool === undefined
      ? decideName(workspace, server, toolName)
      : decideTool(workspace, server, tool, await workspace.pins.standing(server, tools));
  return {
    server: serverName,
    tool: toolName,
    request: { method: "tools/call", params: { name: toolName, arguments: args } },
    answer: decision.answer,
    rule: decision.rule,
    complaints:
      tool === undefined ? [] : checkArguments(args, tool.inputSchema, await patternsFor(tool.inputSchema)),
    isKnown: tool !== undefined,
  };
}
