import { type AgentTool, isEqualJson } from "../model/index.ts";

/** Returns whether two lists have equal tools in the same order. Ignores their age. */
export function sameTools(left: readonly AgentTool[], right: readonly AgentTool[]): boolean {
  return (
    left === right || (left.length === right.length && left.every((tool, at) => sameTool(tool, right[at])))
  );
}

function sameTool(left: AgentTool, right: AgentTool | undefined): boolean {
  return (
    right !== undefined &&
    left.name === right.name &&
    left.title === right.title &&
    left.description === right.description &&
    left.server === right.server &&
    left.tool === right.tool &&
    left.approval === right.approval &&
    isEqualJson(left.inputSchema, right.inputSchema) &&
    isEqualJson(left.outputSchema, right.outputSchema) &&
    isEqualJson(left.annotations, right.annotations)
  );
}
