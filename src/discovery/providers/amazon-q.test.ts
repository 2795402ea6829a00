import { expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { amazonQ } from "./amazon-q.ts";

test("a url without a type is a stdio server without a command", async () => {
  const { transport, owner } = await readEntry(amazonQ, "/repo/.amazonq/mcp.json", {
    mcpServers: { one: { url: "https://one.test" } },
  });
  expect([transport, owner]).toEqual([undefined, { valid: false, problems: ["url-without-type"] }]);
});

test("agents' servers come first, then the project's, then the user's", async () => {
  const one = { mcpServers: { one: { command: "one" } } };
  const { entries } = await readOn(amazonQ, {
    files: {
      "/home/me/.aws/amazonq/default.json": one,
      "/home/me/.aws/amazonq/mcp.json": one,
      "/home/me/.aws/amazonq/cli-agents/mine.json": one,
      "/repo/.amazonq/mcp.json": one,
      "/repo/.amazonq/cli-agents/ours.json": one,
    },
  });
  expect(entries.map(({ source }) => source.file)).toEqual([
    "/repo/.amazonq/cli-agents/ours.json",
    "/home/me/.aws/amazonq/cli-agents/mine.json",
    "/repo/.amazonq/mcp.json",
    "/home/me/.aws/amazonq/mcp.json",
    "/home/me/.aws/amazonq/default.json",
  ]);
});
