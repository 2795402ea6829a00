import { expect, test } from "vitest";
import { type InlineConfig, readInlineConfig } from "./inline.ts";

const read = (variables: Record<string, string>): InlineConfig =>
  readInlineConfig({ platform: "linux", home: "/home/me", cwd: "/repo", variables });

test.each<[string, Record<string, string>, InlineConfig]>([
  ["nothing", {}, { ignored: [] }],
  [
    "a text",
    { PLUGBOARD_MCP_CONFIG_JSON: "{}" },
    { json: { variable: "PLUGBOARD_MCP_CONFIG_JSON", text: "{}" }, ignored: [] },
  ],
  [
    "a file",
    { PLUGBOARD_MCP_CONFIG_PATH: "/etc/mcp.json" },
    { path: { variable: "PLUGBOARD_MCP_CONFIG_PATH", file: "/etc/mcp.json" }, ignored: [] },
  ],
  [
    "a relative file, from the working folder",
    { PLUGBOARD_MCP_CONFIG_PATH: "../mcp.json" },
    { path: { variable: "PLUGBOARD_MCP_CONFIG_PATH", file: "/mcp.json" }, ignored: [] },
  ],
  [
    "ToolLoop's variables",
    { CODEX_TOOLLOOP_MCP_CONFIG_JSON: "{}", CODEX_TOOLLOOP_MCP_CONFIG_PATH: "/a.json" },
    {
      json: { variable: "CODEX_TOOLLOOP_MCP_CONFIG_JSON", text: "{}" },
      path: { variable: "CODEX_TOOLLOOP_MCP_CONFIG_PATH", file: "/a.json" },
      ignored: [],
    },
  ],
  [
    "ours before ToolLoop's, which are ignored",
    {
      CODEX_TOOLLOOP_MCP_CONFIG_JSON: '{"a":1}',
      PLUGBOARD_MCP_CONFIG_JSON: "{}",
      CODEX_TOOLLOOP_MCP_CONFIG_PATH: "/theirs.json",
      PLUGBOARD_MCP_CONFIG_PATH: "/ours.json",
    },
    {
      json: { variable: "PLUGBOARD_MCP_CONFIG_JSON", text: "{}" },
      path: { variable: "PLUGBOARD_MCP_CONFIG_PATH", file: "/ours.json" },
      ignored: [
        { variable: "CODEX_TOOLLOOP_MCP_CONFIG_JSON", winner: "PLUGBOARD_MCP_CONFIG_JSON" },
        { variable: "CODEX_TOOLLOOP_MCP_CONFIG_PATH", winner: "PLUGBOARD_MCP_CONFIG_PATH" },
      ],
    },
  ],
  [
    "ToolLoop's where ours are empty",
    { PLUGBOARD_MCP_CONFIG_JSON: "", CODEX_TOOLLOOP_MCP_CONFIG_JSON: "{}" },
    { json: { variable: "CODEX_TOOLLOOP_MCP_CONFIG_JSON", text: "{}" }, ignored: [] },
  ],
])("the environment hands over %s", (_, variables, expected) => {
  expect(read(variables)).toEqual(expected);
});
