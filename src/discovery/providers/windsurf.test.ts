import { expect, test } from "vitest";
import { readEntry } from "../../../test/support/machine.ts";
import { windsurf } from "./windsurf.ts";

test.each([
  ["serverUrl", { serverUrl: "https://one.test" }],
  ["url", { url: "https://one.test" }],
  ["serverUrl over url", { serverUrl: "https://one.test", url: "https://two.test" }],
])("a remote server's URL is its %s", async (_, server) => {
  const file = "/home/me/.codeium/windsurf/mcp_config.json";
  const { fields, transport } = await readEntry(windsurf, file, { mcpServers: { one: server } });
  expect([fields, transport?.candidates]).toEqual([
    { type: "http", url: "https://one.test" },
    ["http", "sse"],
  ]);
});

test("a field with a meaning only in Plugboard is not read from another tool's file", async () => {
  const { fields } = await readEntry(windsurf, "/home/me/.codeium/windsurf/mcp_config.json", {
    mcpServers: { one: { command: "one", enabled: false, wrap: ["sh"], inheritEnv: true, registry: "x" } },
  });
  expect(fields).toEqual({ type: "stdio", command: "one", registry: "x" });
});
