import { expect, test } from "vitest";
import { readEntry } from "../../../test/support/machine.ts";
import { auggie } from "./auggie.ts";

const entry = (server: object) =>
  readEntry(auggie, "/repo/.augment/settings.json", { mcpServers: { one: server } });

test.each([
  ["a command", { command: "one" }, "stdio", true],
  ["a type", { type: "sse", url: "https://one.test" }, "sse", true],
  ["a url alone, of which nothing is known", { url: "https://one.test" }, undefined, true],
  ["a type of another tool", { type: "remote", url: "https://one.test" }, undefined, false],
])("an entry with %s", async (_, server, kind, valid) => {
  const { transport, owner } = await entry(server);
  expect([transport?.kind, owner?.valid]).toEqual([kind, valid]);
});
