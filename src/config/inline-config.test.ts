import { expect, test } from "vitest";
import type { Problem } from "../model/index.ts";
import { type InlineConfig, readInlineConfig } from "./inline-config.ts";

const read = (variables: Record<string, string>): InlineConfig =>
  readInlineConfig({ cwd: "/repo", variables });

const ignored = (variable: string, winner: string): Problem => ({
  code: "source-ignored",
  severity: "warning",
  message: `$${variable} is ignored because $${winner} is set`,
  file: `$${variable}`,
});

test.each<[string, Record<string, string>, InlineConfig]>([
  ["no variables", {}, { problems: [] }],
  [
    "inline JSON",
    { PLUGBOARD_MCP_CONFIG_JSON: "{}" },
    { json: { variable: "PLUGBOARD_MCP_CONFIG_JSON", text: "{}" }, problems: [] },
  ],
  [
    "a file",
    { PLUGBOARD_MCP_CONFIG_PATH: "/etc/mcp.json" },
    { path: { variable: "PLUGBOARD_MCP_CONFIG_PATH", file: "/etc/mcp.json", tier: "user" }, problems: [] },
  ],
  [
    "a relative file, from the working folder",
    { PLUGBOARD_MCP_CONFIG_PATH: "../mcp.json" },
    { path: { variable: "PLUGBOARD_MCP_CONFIG_PATH", file: "/mcp.json", tier: "project" }, problems: [] },
  ],
  [
    "ToolLoop's variables",
    { CODEX_TOOLLOOP_MCP_CONFIG_JSON: "{}", CODEX_TOOLLOOP_MCP_CONFIG_PATH: "/a.json" },
    {
      json: { variable: "CODEX_TOOLLOOP_MCP_CONFIG_JSON", text: "{}" },
      path: { variable: "CODEX_TOOLLOOP_MCP_CONFIG_PATH", file: "/a.json", tier: "user" },
      problems: [],
    },
  ],
  [
    "Plugboard's variables before ToolLoop's, which are ignored",
    {
      CODEX_TOOLLOOP_MCP_CONFIG_JSON: '{"a":1}',
      PLUGBOARD_MCP_CONFIG_JSON: "{}",
      CODEX_TOOLLOOP_MCP_CONFIG_PATH: "/theirs.json",
      PLUGBOARD_MCP_CONFIG_PATH: "/ours.json",
    },
    {
      json: { variable: "PLUGBOARD_MCP_CONFIG_JSON", text: "{}" },
      path: { variable: "PLUGBOARD_MCP_CONFIG_PATH", file: "/ours.json", tier: "user" },
      problems: [
        ignored("CODEX_TOOLLOOP_MCP_CONFIG_JSON", "PLUGBOARD_MCP_CONFIG_JSON"),
        ignored("CODEX_TOOLLOOP_MCP_CONFIG_PATH", "PLUGBOARD_MCP_CONFIG_JSON"),
      ],
    },
  ],
  [
    "one of Plugboard's variables and none of ToolLoop's, because pairs are not mixed",
    { CODEX_TOOLLOOP_MCP_CONFIG_JSON: '{"a":1}', PLUGBOARD_MCP_CONFIG_PATH: "/ours.json" },
    {
      path: { variable: "PLUGBOARD_MCP_CONFIG_PATH", file: "/ours.json", tier: "user" },
      problems: [ignored("CODEX_TOOLLOOP_MCP_CONFIG_JSON", "PLUGBOARD_MCP_CONFIG_PATH")],
    },
  ],
  [
    "ToolLoop's variables if Plugboard's are empty",
    { PLUGBOARD_MCP_CONFIG_JSON: "", CODEX_TOOLLOOP_MCP_CONFIG_JSON: "{}" },
    { json: { variable: "CODEX_TOOLLOOP_MCP_CONFIG_JSON", text: "{}" }, problems: [] },
  ],
])("config is read from the environment: %s", (_, variables, expected) => {
  expect(read(variables)).toEqual(expected);
});
