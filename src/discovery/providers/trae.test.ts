import { expect, test } from "vitest";
import { readEntry } from "../../../test/support/machine.ts";
import { trae } from "./trae.ts";

test.each([
  ["a word", { command: "npx" }, []],
  ["a command line, which does not start", { command: "npx -y one" }, ["invalid-command-path"]],
  ["a url", { url: "https://one.test" }, []],
])("an entry with %s", async (_, server, problems) => {
  const { owner } = await readEntry(trae, "/repo/.trae/mcp.json", { mcpServers: { one: server } });
  expect(owner).toEqual({ valid: problems.length === 0, problems });
});
