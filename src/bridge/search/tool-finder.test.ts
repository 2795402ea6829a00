import { afterEach, expect, test, vi } from "vitest";
import type { AgentTool } from "../../model/index.ts";
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

const noWait = async (): Promise<void> => {};

test("the index is built once for the same tools, and the latest objects are found", async () => {
  const find = createToolFinder(noWait);
  const [before, after] = [tools(), tools().map((tool) => ({ ...tool, stale: true }))];
  expect(await find(before, "read", 5)).toEqual([before[1], before[0]]);
  expect(await find(after, "read", 5)).toEqual([after[1], after[0]]);
  const [first, second] = search.mock.contexts;
  expect(second).toBe(first);
});

test("changed tools are indexed again", async () => {
  const find = createToolFinder(noWait);
  await find(tools(), "read", 5);
  const others = [toolOf("read", "Reads a file."), toolOf("remove", "Removes a file.")];
  expect(await find(others, "remove", 5)).toEqual([others[1]]);
  const [first, second] = search.mock.contexts;
  expect(second).not.toBe(first);
});

test("indexing thousands of tools lets other work run, and concurrent searches share the index", async () => {
  let turns = 0;
  const find = createToolFinder(async () => {
    turns += 1;
  });
  const many = Array.from({ length: 5_000 }, (_, at) => toolOf(`read_${at}`, "Reads a file."));
  const [found, meanwhile] = await Promise.all([find(many, "read", 5), find(many, "file", 5)]);
  expect(found).toHaveLength(5);
  expect(meanwhile).toHaveLength(5);
  expect(turns).toBeGreaterThan(4);
  const [first, second] = search.mock.contexts;
  expect(second).toBe(first);
});
