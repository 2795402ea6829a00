import { afterEach, expect, test, vi } from "vitest";
import type { AgentTool } from "../model/index.ts";
import { SearchIndex } from "./search-index.ts";
import { createToolFinder } from "./tool-finder.ts";

const search = vi.spyOn(SearchIndex.prototype, "search");
afterEach(() => search.mockClear());

const toolOf = (tool: string, description: string): AgentTool => ({
  name: `mcp_files_${tool}`,
  title: tool,
  description,
  inputSchema: { type: "object", properties: {} },
  server: "files",
  tool,
  approval: "allow",
  stale: false,
  execute: () => Promise.reject(new Error("not called here")),
});
const tools = (): AgentTool[] => [
  toolOf("copy", "Copies a file, reads nothing."),
  toolOf("read", "Reads a file."),
];

test("the words are indexed once as long as the tools are the same, and the newest of them are found", () => {
  const find = createToolFinder();
  const [before, after] = [tools(), tools().map((tool) => ({ ...tool, stale: true }))];
  expect(find(before, "read", 5)).toEqual([before[1], before[0]]);
  expect(find(after, "read", 5)).toEqual([after[1], after[0]]);
  const [first, second] = search.mock.contexts;
  expect(second).toBe(first);
});

test("other tools are found as they are", () => {
  const find = createToolFinder();
  find(tools(), "read", 5);
  const others = [toolOf("read", "Reads a file."), toolOf("remove", "Removes a file.")];
  expect(find(others, "remove", 5)).toEqual([others[1]]);
  const [first, second] = search.mock.contexts;
  expect(second).not.toBe(first);
});
