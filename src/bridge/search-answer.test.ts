import { expect, test } from "vitest";
import type { AgentTool, JsonObject } from "../model/index.ts";
import { estimateTextTokens } from "./estimate-tokens.ts";
import { NOTHING_FOUND, renderHits } from "./search-answer.ts";

const TEXT = { type: "string" };
const toolOf = (tool: string, description: string, properties: JsonObject = {}): AgentTool => ({
  name: `mcp_repo_${tool}`,
  title: tool,
  description,
  inputSchema: { type: "object", properties, required: Object.keys(properties).slice(0, 1) },
  server: "repo",
  tool,
  approval: "allow",
  stale: false,
  execute: () => Promise.reject(new Error("not called here")),
});

test("a result is one line with types and one sentence", () => {
  const tool = toolOf("create_issue", "Creates an issue. Use it with care.\nMore.", {
    title: TEXT,
    body: TEXT,
  });
  expect(renderHits([tool])).toBe("mcp_repo_create_issue(title: string, body?: string) Creates an issue");
});

test("the server is shown if the name does not contain it", () => {
  const tool = { ...toolOf("read", "Reads."), name: "read", server: "my files" };
  expect(renderHits([tool])).toBe("read() [my files] Reads.");
});

test("tools that differ in their names only are one line", () => {
  const alike = ["start", "stop"].map((verb) => toolOf(`${verb}_job`, `${verb}s a job`, { id: TEXT }));
  const other = toolOf("list_jobs", "Lists jobs");
  expect(renderHits([...alike, other])).toBe(
    "mcp_repo_start_job | mcp_repo_stop_job(id: string) starts a job\nmcp_repo_list_jobs() Lists jobs",
  );
  const many = Array.from({ length: 50 }, (_, at) => toolOf(`stop_${at}`, "Stops."));
  expect(renderHits(many).match(/mcp_repo_stop_/g)).toHaveLength(50);
  const elsewhere = alike.map((tool, at) => ({ ...tool, server: `repo${at}` }));
  expect(renderHits(elsewhere).split("\n")).toHaveLength(2);
});

test("required parameters come before sentences, and sentences before optional parameters", () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`parameter_${at}`, TEXT]));
  const tools = Array.from({ length: 8 }, (_, at) => toolOf(`${"abcdefgh"[at]}_x`, `Does ${at}.`, many));
  const lines = renderHits(tools).split("\n");
  for (const [at, line] of lines.entries()) {
    expect(line).toContain("parameter_0: string");
    expect(line).toContain(`Does ${at}`);
  }
  expect(lines.at(0)).toContain("parameter_39?: string");
  expect(lines.at(-1)).toContain("…39 optional");
  expect(estimateTextTokens(lines.join("\n"))).toBeLessThan(550);
});

test("without results, the answer suggests what to do", () => {
  expect(renderHits([])).toBe(NOTHING_FOUND);
});
