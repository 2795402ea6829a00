import { expect, test } from "vitest";
import type { AgentTool } from "../model/index.ts";
import { sameTools } from "./same-tools.ts";

const TOOL: AgentTool = {
  name: "mcp_files_read",
  title: "Read",
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
  outputSchema: { type: "object", properties: {} },
  annotations: { readOnlyHint: true },
  server: "files",
  tool: "read",
  approval: "allow",
  stale: false,
  execute: () => Promise.reject(new Error("not called here")),
};

test("tools with equal fields are the same, whatever their age", () => {
  const copy = { ...structuredClone({ ...TOOL, execute: undefined }), execute: async () => TOOL.execute({}) };
  expect(sameTools([TOOL], [{ ...copy, stale: true }])).toBe(true);
});

test.each(Object.entries(TOOL).filter(([field]) => field !== "stale" && field !== "execute"))(
  "tools with a different %s are not the same",
  (field, value) => {
    const other = typeof value === "string" ? `${value}!` : { ...value, more: 1 };
    expect(sameTools([TOOL], [{ ...TOOL, [field]: other }])).toBe(false);
    expect(sameTools([TOOL], [{ ...TOOL, [field]: undefined }])).toBe(false);
  },
);

test("lists with another length or order are not the same", () => {
  const other = { ...TOOL, name: "mcp_files_write", tool: "write" };
  expect(sameTools([TOOL], [TOOL, other])).toBe(false);
  expect(sameTools([TOOL, other], [TOOL])).toBe(false);
  expect(sameTools([TOOL, other], [other, TOOL])).toBe(false);
});

test("identical schema objects are not compared", () => {
  const inputSchema = new Proxy(TOOL.inputSchema, {
    ownKeys: () => {
      throw new Error("looked into");
    },
  });
  expect(sameTools([{ ...TOOL, inputSchema }], [{ ...TOOL, inputSchema }])).toBe(true);
});
