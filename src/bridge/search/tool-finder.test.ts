import { afterEach, expect, test, vi } from "vitest";
import type { AgentTool } from "../../model/index.ts";
import { pairId } from "../tool-name.ts";
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
  expect(await find(before, ["read"], { most: 5 })).toEqual([before[1], before[0]]);
  expect(await find(after, ["read"], { most: 5 })).toEqual([after[1], after[0]]);
  const [first, second] = search.mock.contexts;
  expect(second).toBe(first);
});

test("the tools of a changed server are replaced in the index", async () => {
  const find = createToolFinder(noWait);
  const other = ["sum", "list", "weather"].map((tool) => ({
    ...toolOf(tool, "Does something else."),
    name: `mcp_other_${tool}`,
    server: "other",
  }));
  await find([...tools(), ...other], ["read"], { most: 5 });
  const others = [toolOf("remove", "Removes a file."), ...other];
  expect(await find(others, ["remove"], { most: 5 })).toEqual([others[0]]);
  expect(await find(others, ["read"], { most: 5 })).toEqual([]);
  expect(await find(others, ["list"], { most: 5 })).toEqual([other[1]]);
  expect(new Set(search.mock.contexts).size).toBe(1);
});

test("the index is built again if most of it was removed", async () => {
  const find = createToolFinder(noWait);
  await find(tools(), ["read"], { most: 5 });
  const others = [toolOf("read", "Reads a file."), toolOf("remove", "Removes a file.")];
  expect(await find(others, ["remove"], { most: 5 })).toEqual([others[1]]);
  expect(new Set(search.mock.contexts).size).toBe(2);
});

test("indexing thousands of tools lets other work run, and concurrent searches share the index", async () => {
  let turns = 0;
  const find = createToolFinder(async () => {
    turns += 1;
  });
  const many = Array.from({ length: 5_000 }, (_, at) => toolOf(`read_${at}`, "Reads a file."));
  const [found, meanwhile] = await Promise.all([
    find(many, ["read"], { most: 5 }),
    find(many, ["file"], { most: 5 }),
  ]);
  expect(found).toHaveLength(5);
  expect(meanwhile).toHaveLength(5);
  expect(turns).toBeGreaterThan(4);
  const [first, second] = search.mock.contexts;
  expect(second).toBe(first);
});

test("several phrasings are merged: what two of them find comes before what one ranks first", async () => {
  const find = createToolFinder(noWait);
  const all = [
    toolOf("translate", "Translates."),
    toolOf("forecast", "Weather, temperature, humidity."),
    toolOf("thermometer", "Temperature, humidity."),
  ];
  const found = await find(all, ["translate", "weather temperature", "humidity thermometer"], { most: 3 });
  expect(found.map(({ tool }) => tool)).toEqual(["forecast", "thermometer", "translate"]);
});

test("a server that begins one phrasing is preferred in the others", async () => {
  const find = createToolFinder(noWait);
  const [here, there] = ["aaa", "my-repo"].map((server) => ({
    ...toolOf("close_issue", "Closes an issue."),
    name: `mcp_${server}_close_issue`,
    server,
  }));
  const all = [here, there].filter((tool) => tool !== undefined);
  const found = await find(all, ["My Repo finish", "close issue"], { most: 2 });
  expect(found).toEqual([there, here]);
});

test("after a query that names a server, learning applies only to that server, and also to queries without its name", async () => {
  const asked: (readonly string[])[] = [];
  const all = ["aaa", "my-repo"].flatMap((server) =>
    ["close_issue", "shut_issue"].map((tool) => ({
      ...toolOf(tool, "Closes an issue."),
      name: `mcp_${server}_${tool}`,
      server,
    })),
  );
  const find = createToolFinder(noWait, {
    learned(queries) {
      asked.push(queries);
      return new Map(all.filter(({ tool }) => tool === "shut_issue").map((tool) => [pairId(tool), 1]));
    },
    searched: (queries) => void asked.push(queries),
  });
  const found = await find(all, ["my-repo close issue", "finish"], { most: 2 });
  expect(found.map(({ server, tool }) => `${server}/${tool}`)).toEqual([
    "my-repo/shut_issue",
    "my-repo/close_issue",
  ]);
  expect(asked.map((queries) => queries.map((query) => query.trim()))).toEqual([
    ["close issue", "finish"],
    ["close issue", "finish"],
  ]);
});

test("a search can be limited to one server", async () => {
  const find = createToolFinder(noWait);
  const other = { ...toolOf("read", "Reads a file."), server: "other", name: "mcp_other_read" };
  expect(await find([...tools(), other], ["read file"], { most: 5, server: "other" })).toEqual([other]);
});
