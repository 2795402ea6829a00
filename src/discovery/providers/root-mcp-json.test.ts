import { expect, test } from "vitest";
import { createFakePorts } from "../../../test/support/fake-ports.ts";
import { DEFAULT_SETTINGS } from "../../config/index.ts";
import { findOwnPaths } from "../../state/index.ts";
import { createMemoryFiles } from "../../testing/index.ts";
import { discover } from "../discover.ts";
import { PROVIDERS } from "./index.ts";
import { rootMcpJson } from "./root-mcp-json.ts";

test("the root mcp.json and .mcp.json of a project are read last", async () => {
  const files = ["/project/mcp.json", "/project/.mcp.json"].map((file): [string, string] => [
    file,
    JSON.stringify({ mcpServers: { [file]: { command: "node" }, both: { command: file } } }),
  ]);
  const environment = { platform: "linux", home: "/home/me", cwd: "/project", variables: {} };
  const { declarations } = await discover({
    ports: createFakePorts(createMemoryFiles(new Map(files))),
    environment,
    places: findOwnPaths(environment),
    settings: {
      ...DEFAULT_SETTINGS,
      providersOff: PROVIDERS.map(({ id }) => id).filter((id) => id !== "mcp-json"),
    },
  });
  expect(
    declarations.map(({ name, fields, provenance: { tool, tier } }) => [name, fields["command"], tool, tier]),
  ).toEqual([
    ["/project/mcp.json", "node", "mcp-json", "project"],
    ["both", "/project/mcp.json", "mcp-json", "project"],
    ["/project/.mcp.json", "node", "mcp-json", "project"],
    ["both", "/project/.mcp.json", "mcp-json", "project"],
  ]);
});

test("no provider ranks below the root mcp.json", () => {
  expect(
    PROVIDERS.filter(({ id, priority }) => id !== "mcp-json" && priority <= rootMcpJson.priority),
  ).toEqual([]);
});
