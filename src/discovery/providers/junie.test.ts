import { expect, test } from "vitest";
import { readEntry } from "../../../test/support/machine.ts";
import { junie } from "./junie.ts";

const entry = (server: object) =>
  readEntry(junie, "/repo/.junie/mcp/mcp.json", { mcpServers: { one: server } });

test.each([
  ["a command", { command: "one" }, "stdio", []],
  ["a url", { url: "https://one.test/mcp" }, "http", []],
  [
    "a type, which is not supported",
    { type: "sse", url: "https://one.test/sse" },
    "http",
    ["unsupported-field"],
  ],
  ["a switch, which is not supported", { command: "one", disabled: true }, "stdio", ["unsupported-field"]],
])("the transport is inferred: %s", async (_, server, kind, problems) => {
  const { transport, owner, fields } = await entry(server);
  expect([transport?.kind, owner, fields["enabled"]]).toEqual([kind, { valid: true, problems }, undefined]);
});
