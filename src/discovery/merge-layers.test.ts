import { expect, test } from "vitest";
import { readOn } from "../../test/support/machine.ts";
import { NO_EXPANSION, type Scope, type Tier } from "../model/index.ts";
import { type Layer, mergeLayers } from "./merge-layers.ts";
import type { DiscoveryProvider } from "./provider.ts";
import { codex } from "./providers/codex.ts";
import { crush } from "./providers/crush.ts";
import { kiloCode } from "./providers/kilo-code.ts";
import { opencode } from "./providers/opencode.ts";

const lines = (...text: readonly string[]): string => text.join("\n");

const JSON_USER = (name: string, ...fields: readonly string[]): string =>
  lines(`{ "${name}": {`, '"one": {', ...fields, "} } }");

/** A user file, a project file, and the expected source of each field of the merged server. */
const MERGED: readonly (readonly [
  DiscoveryProvider,
  string,
  string,
  string,
  string,
  Record<string, string>,
])[] = [
  [
    codex,
    "/home/me/.codex/config.toml",
    lines(
      "[mcp_servers.one]",
      'url = "https://h/mcp"',
      "startup_timeout_sec = 5",
      "tool_timeout_sec = 9",
      'bearer_token_env_var = "T"',
      'http_headers = { A = "1" }',
    ),
    "/repo/.codex/config.toml",
    lines(
      "[mcp_servers.one]",
      'env_http_headers = { B = "B" }',
      "tool_timeout_sec = 10",
      'enabled_tools = ["x"]',
      'disabled_tools = ["y"]',
      'env_vars = ["HOME"]',
      "enabled = true",
    ),
    {
      url: "user 2",
      headers: "user 6",
      envHeaders: "project 2",
      bearerTokenEnv: "user 5",
      enabled: "project 7",
      allowTools: "project 4",
      denyTools: "project 5",
      startupTimeout: "user 3",
      timeout: "project 3",
      inheritEnv: "project 6",
    },
  ],
  [
    crush,
    "/home/me/.config/crush/crush.json",
    JSON_USER(
      "mcp",
      '"type": "http", "url": "https://h/mcp",',
      '"oauth_client_id": "me",',
      '"disabled": false',
    ),
    "/repo/crush.json",
    JSON_USER("mcp", '"disabled": true,', '"timeout": 5,', '"disabled_tools": ["x"]'),
    {
      type: "user 3",
      url: "user 3",
      oauth: "user 4",
      enabled: "project 3",
      timeout: "project 4",
      denyTools: "project 5",
    },
  ],
  [
    opencode,
    "/home/me/.config/opencode/opencode.json",
    JSON_USER("mcp", '"type": "local",', '"command": ["npx", "x"],', '"environment": { "A": "1" }'),
    "/repo/opencode.json",
    lines(
      '{ "mcp": { "servers": { "one": {',
      '"disabled": true,',
      '"cwd": "sub",',
      '"timeout": { "startup": 1 }',
      "} } } }",
    ),
    {
      type: "user 3",
      command: "user 4",
      args: "user 4",
      env: "user 5",
      enabled: "project 2",
      cwd: "project 3",
      startupTimeout: "project 4",
    },
  ],
  [
    kiloCode,
    "/home/me/.config/kilo/kilo.json",
    JSON_USER("mcp", '"type": "local",', '"command": ["npx", "x"],', '"enabled": true'),
    "/repo/kilo.json",
    JSON_USER("mcp", '"command": ["node", "y"],', '"environment": { "A": "1" }'),
    { type: "user 3", command: "project 3", args: "project 3", enabled: "user 5", env: "project 4" },
  ],
];

test.each(MERGED.map((row) => [row[0].id, ...row] as const))(
  "a merged server of %s has the source of each field, under Plugboard's names",
  async (_, provider, user, userText, project, projectText, expected) => {
    const { entries } = await readOn(provider, { files: { [user]: userText, [project]: projectText } });
    const sources = Object.entries(entries[0]?.fieldSources ?? {}).map(([field, { file, line, tool }]) => {
      expect(tool).toBe(provider.id);
      return [field, `${file === user ? "user" : file === project ? "project" : file} ${line}`];
    });
    expect(Object.fromEntries(sources)).toMatchObject(expected);
    expect(
      Object.keys(entries[0]?.fields ?? {}).filter((field) => !(field in expected) && field !== "type"),
    ).toEqual([]);
  },
);

test("a user's file that others can write to does not hide which project a merged server belongs to", () => {
  const layer = (scope: Scope, tier: Tier): Layer => {
    const document = { value: {}, problems: [], at: () => undefined };
    const source = { file: `/${scope}.json`, scope, tier, role: undefined, document, value: {}, text: "" };
    return { name: "one", entry: { [scope]: true }, source, path: ["one"] };
  };
  const fileOf = (...layers: readonly Layer[]): (string | undefined)[] =>
    mergeLayers(layers, {
      tool: "x",
      expansion: NO_EXPANSION,
      map: (fields) => ({ fields }),
    }).map(({ source }) => source.file);
  expect(fileOf(layer("project", "project"), layer("user", "project"))).toEqual(["/project.json"]);
  expect(fileOf(layer("user", "project"), layer("managed", "project"))).toEqual(["/managed.json"]);
  expect(fileOf(layer("project", "project"), layer("user", "user"))).toEqual(["/project.json", "/user.json"]);
});
