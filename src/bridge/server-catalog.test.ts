import { expect, test } from "vitest";
import type { AgentTool } from "../model/index.ts";
import { estimateTextTokens } from "./estimate-tokens.ts";
import { describeServers } from "./server-catalog.ts";

const toolOf = (server: string, tool: string, description = ""): AgentTool => ({
  name: `mcp_${server}_${tool}`,
  title: tool,
  description,
  inputSchema: { type: "object", properties: {} },
  server,
  tool,
  approval: "allow",
  stale: false,
  execute: () => Promise.reject(new Error("not called here")),
});

test("servers whose tools do not mention their name get a hint; obvious names do not use it up", () => {
  const many = Array.from({ length: 60 }, (_, at) => toolOf(`weather-${at}`, "weather_forecast", "Weather."));
  const text = describeServers([
    ...many,
    toolOf("larkspur", "create_invoice"),
    toolOf("larkspur", "list_invoices"),
    toolOf("larkspur", "send_reminder"),
  ]);
  expect(text).toContain("larkspur(invoice reminder)");
  expect(text.match(/weather-/g)).toHaveLength(60);
});

test("every server is named, and hints stay within the budget", () => {
  const tools = Array.from({ length: 300 }, (_, at) => toolOf(`server${at}x`, `frobnicate_${at}_gizmo`));
  const text = describeServers(tools);
  for (const { server } of tools) expect(text).toContain(server);
  expect(text).not.toContain("(");
});

test("names from config files cannot fill the description or forge its lines", () => {
  const tools = Array.from({ length: 5_000 }, (_, at) => toolOf(`a\n${at} ${"x".repeat(500)}`, "read"));
  const text = describeServers(tools);
  expect(text.length).toBeLessThan(10_000);
  expect(text).not.toContain("\n");
  expect(text).toMatch(/ and \d+ more$/);
});

test.each([
  ["plain words", "Creates a new issue in a repository of the given owner.", 12],
  ["JSON", '{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}', 19],
  ["a name in camel case", "listPullRequestReviewComments", 5],
  ["numbers", "1234567", 3],
  ["another script", "東京の天気を調べる", 8],
])("an estimate is close to a tokenizer's count: %s", (_, text, counted) => {
  expect(Math.abs(estimateTextTokens(text) - counted)).toBeLessThanOrEqual(Math.ceil(counted * 0.1));
});
