import { expect, test } from "vitest";
import { readEntry } from "../../../test/support/machine.ts";
import { antigravity } from "./antigravity.ts";

test.each([
  ["a serverUrl", { serverUrl: "https://a" }, "http", { valid: true, problems: [] }],
  ["both URLs", { url: "https://b", serverUrl: "https://a" }, "http", { valid: true, problems: [] }],
  ["a url", { url: "https://a" }, undefined, { valid: false, problems: ["unsupported-field"] }],
  ["a command", { command: "x" }, "stdio", { valid: true, problems: [] }],
  ["neither", {}, undefined, { valid: false, problems: ["missing-command"] }],
])("an entry of Antigravity with %s", async (_, one, kind, owner) => {
  const entry = await readEntry(antigravity, "/repo/.agents/mcp_config.json", { mcpServers: { one } });
  expect(entry.transport?.kind).toBe(kind);
  expect(entry.owner).toEqual(owner);
  if ("url" in one || "serverUrl" in one) expect(entry.fields["url"]).toBe("https://a");
});

test("an entry of Antigravity can be disabled, as can single tools", async () => {
  const one = { command: "x", disabled: true, disabledTools: ["y"] };
  const { fields } = await readEntry(antigravity, "/repo/.agents/mcp_config.json", { mcpServers: { one } });
  expect(fields).toMatchObject({ enabled: false, denyTools: ["y"] });
});
