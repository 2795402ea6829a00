import { expect, test } from "vitest";
import { readEntry } from "../../../test/support/machine.ts";
import { auggie } from "./auggie.ts";

const entry = (server: object) =>
  readEntry(auggie, "/repo/.augment/settings.json", { mcpServers: { one: server } });

test.each([
  ["a command", { command: "one" }, "stdio", true],
  ["a type", { type: "sse", url: "https://one.test" }, "sse", true],
  ["only a url, which is undocumented", { url: "https://one.test" }, undefined, true],
  ["another tool's type", { type: "remote", url: "https://one.test" }, undefined, false],
])("an entry with %s", async (_, server, kind, valid) => {
  const { transport, owner } = await entry(server);
  expect([transport?.kind, owner?.valid]).toEqual([kind, valid]);
});
