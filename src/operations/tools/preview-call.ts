import { checkArguments, patternsFor } from "../../bridge/index.ts";
import type { JsonObject } from "../../model/index.ts";
import { findServer } from "../lifecycle/find-server.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";
import { decideName, decideTool } from "./tool-access.ts";

/** What a call would be, without making it. */
export interface CallPreview {
  readonly server: string;
  readonly tool: string;
  /** What would be sent. */
  readonly request: { readonly method: "tools/call"; readonly params: JsonObject };
  readonly answer: "allow" | "ask" | "deny";
  /** The rule that decides. */
  readonly rule: string;
  /** What is wrong with the arguments; nothing where the tool's schema is not known yet. */
  readonly complaints: readonly string[];
  /** Is the tool's definition known without connecting? */
  readonly isKnown: boolean;
}

/** Decides as a call would. Connects to nothing: what was never listed is judged by its name. */
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
