import { expect, test } from "vitest";
import type { AgentTool } from "../model/index.ts";
import { toMetaTools, toToolLoopTools } from "./meta-tools.ts";

const TOOLS = Array.from(
  { length: 300 },
  (_, at): AgentTool => ({
    name: `mcp_files_read_${at}`,
    title: "read",
    description: "Reads a file.",
    inputSchema: { type: "object", properties: {} },
    server: "files",
    tool: `read_${String(at).padStart(3, "0")}`,
    approval: "allow",
    stale: false,
    execute: () => Promise.reject(new Error("not called here")),
  }),
);

test.each([
  ["mcp_search_tools", { query: "read" }, 50],
  ["mcp_listTools", { serverId: "files" }, 128],
])("%s hands out no more than its schema allows, whatever a model asks for", async (name, args, most) => {
  const source = { tools: () => TOOLS };
  const tool = [...toMetaTools(source), ...toToolLoopTools(source)].find((each) => each.name === name);
  const countFor = async (limit: unknown): Promise<number> => {
    const { text } = (await tool?.execute({ ...args, limit } as never)) ?? { text: "[]" };
    return (JSON.parse(text) as unknown[]).length;
  };
  expect(await countFor(100_000)).toBe(most);
  expect(await countFor(-3)).toBe(1);
  expect(await countFor(2)).toBe(2);
  expect(await countFor("many")).toBeLessThanOrEqual(most);
});

test("a page of ToolLoop's list begins where it is asked to, and not before the first", async () => {
  const [list] = toToolLoopTools({ tools: () => TOOLS });
  const first = async (offset: unknown): Promise<string | undefined> => {
    const { text } = (await list?.execute({ serverId: "files", offset } as never)) ?? { text: "[]" };
    return (JSON.parse(text) as { name: string }[])[0]?.name;
  };
  expect(await first(7)).toBe("read_007");
  expect(await first(-7)).toBe("read_000");
  expect(await first("x")).toBe("read_000");
});
