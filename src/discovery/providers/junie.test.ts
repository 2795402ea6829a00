import { expect, test } from "vitest";
import { readEntry } from "../../../test/support/machine.ts";
import { junie } from "./junie.ts";

const entry = (server: object) =>
  readEntry(junie, "/repo/.junie/mcp/mcp.json", { mcpServers: { one: server } });

test.each([
  ["a command", { command: "one" }, "stdio", []],
  ["a url", { url: "https://one.test/mcp" }, "http", []],
  [
    "a type, which it does not know",
    { type: "sse", url: "https://one.test/sse" },
    "http",
    ["unsupported-field"],
  ],
  ["a switch, which it does not know", { command: "one", disabled: true }, "stdio", ["unsupported-field"]],
])("an entry is read by its shape: %s", async (_, server, kind, problems) => {
  const { transport, owner, fields } = await entry(server);
  expect([transport?.kind, owner, fields["enabled"]]).toEqual([kind, { valid: true, problems }, undefined]);
});
