import { describe, expect, test } from "vitest";
import { USER } from "../../test/support/entries.ts";
import {
  type AgentTool,
  HostError,
  ToolAbortError,
  type ToolDefinition,
  type ToolResult,
} from "../model/index.ts";
import { type BridgeOptions, toAgentTools } from "./to-agent-tools.ts";
import { ToolNames } from "./tool-name.ts";

const DETAILS = { serverName: "files", mcpToolName: "read", provider: "plugboard", source: USER };
const answer = (text: string, isError: boolean): ToolResult => ({
  text,
  parts: [{ type: "text", text }],
  isError,
  details: DETAILS,
});

function bridge(
  definitions: readonly Partial<ToolDefinition>[],
  invoke: BridgeOptions["invoke"],
): AgentTool[] {
  const tools = definitions.map((definition) => ({
    name: "read",
    inputSchema: { type: "object" },
    ...definition,
  }));
  return toAgentTools([{ server: "files", source: USER, tools, stale: false }], {
    names: new ToolNames(),
    invoke,
  });
}

async function execute(invoke: BridgeOptions["invoke"], signal?: AbortSignal): Promise<ToolResult> {
  const [tool] = bridge([{}], invoke);
  if (tool === undefined) throw new Error("no tool");
  return tool.execute({ path: "a" }, signal === undefined ? {} : { signal });
}

describe("an agent tool", () => {
  test("has all fields of the definition", () => {
    const definition = {
      name: "read",
      title: "Read",
      description: "Reads a file.",
      inputSchema: { type: "object", properties: { path: { type: "string" } } },
      outputSchema: { type: "object" },
      annotations: { readOnlyHint: true },
    };
    const [tool] = bridge([definition], async () => answer("", false));
    const { execute: _, ...facts } = tool as AgentTool;
    expect(facts).toEqual({
      ...definition,
      name: "mcp_files_read",
      server: "files",
      tool: "read",
      approval: "allow",
      stale: false,
    });
  });

  test.each<[string, Partial<ToolDefinition>, Partial<AgentTool>]>([
    ["no title uses the annotated one", { annotations: { title: "Noted" } }, { title: "Noted" }],
    ["no title at all uses its name", {}, { title: "read" }],
    ["no description names its server", {}, { description: "MCP tool from files" }],
    [
      "a hidden instruction shows it",
      { description: "Reads\u200b\u{e0041}." },
      { description: "Reads\\u{200b}\\u{e0041}." },
    ],
    [
      "a hidden instruction in a parameter shows it, whatever the parameter's name",
      { inputSchema: { type: "object", properties: { default: { description: "a\u200bb" } } } },
      { inputSchema: { type: "object", properties: { default: { description: "a\\u{200b}b" } } } },
    ],
    [
      "a value with a hidden character keeps it",
      { inputSchema: { type: "object", description: "\u200b", default: { description: "\u200b" } } },
      {
        inputSchema: {
          type: "object",
          description: "\\u{200b}",
          default: { description: "\u200b" },
          properties: {},
        },
      },
    ],
    ["a title over two lines has it in one", { title: "Read\n\u001b[2J" }, { title: "Read ⏎ \\x1b[2J" }],
    [
      "a very long description is truncated",
      { description: "x".repeat(5_000) },
      { description: `${"x".repeat(4_095)}…` },
    ],
    ["a bare schema has properties", {}, { inputSchema: { type: "object", properties: {} } }],
  ])("with %s", (_, definition, expected) => {
    expect(bridge([definition], async () => answer("", false))[0]).toMatchObject(expected);
  });

  test("is sorted by name", () => {
    const tools = bridge([{ name: "write" }, { name: "append" }, { name: "read" }], async () =>
      answer("", false),
    );
    expect(tools.map(({ tool }) => tool)).toEqual(["append", "read", "write"]);
  });
});

describe("a call to an agent tool", () => {
  test("uses the tool's own name, the arguments and the options", async () => {
    const calls: unknown[] = [];
    const { signal } = new AbortController();
    await execute(async (...call) => {
      calls.push(call);
      return answer("ok", false);
    }, signal);
    expect(calls).toEqual([["files", "read", { path: "a" }, { signal }]]);
  });

  test("returns the result", async () => {
    expect(await execute(async () => answer("ok", false))).toEqual(answer("ok", false));
  });

  test("that the tool reports as failed has an error text", async () => {
    expect(await execute(async () => answer("no such file", true))).toEqual({
      ...answer("no such file", true),
      text: "Error: no such file",
    });
  });

  test.each([
    [
      "a failure of ours",
      new HostError("TOOL_CALL_FAILED", "Tool execution failed: gone"),
      "MCP error: Tool execution failed: gone",
    ],
    ["a failure of any kind", new TypeError("broken"), "MCP error: broken"],
    ["a thrown value that is not an error", "thrown text", "MCP error: thrown text"],
  ])("that fails with %s returns an error text", async (_, thrown, text) => {
    expect(await execute(() => Promise.reject(thrown))).toEqual(answer(text, true));
  });

  test.each([
    ["by the call itself", new ToolAbortError()],
    ["by the signal before the call", new DOMException("This operation was aborted", "AbortError")],
  ])("that is aborted %s rejects with the abort error", async (_, thrown) => {
    await expect(execute(() => Promise.reject(thrown), AbortSignal.abort())).rejects.toBeInstanceOf(
      ToolAbortError,
    );
  });
});
