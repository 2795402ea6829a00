import { expect, test } from "vitest";
import { readEntry } from "../../../test/support/machine.ts";
import { boltai } from "./boltai.ts";

test.each([
  ["runs local servers", { command: "one" }, "stdio", []],
  ["does not support remote servers", { url: "https://one.test" }, undefined, ["unsupported-transport"]],
])("BoltAI %s", async (_, server, kind, problems) => {
  const file = "/Users/me/.boltai/mcp.json";
  const { transport, owner } = await readEntry(
    boltai,
    file,
    { mcpServers: { one: server } },
    { platform: "darwin" },
  );
  expect([transport?.kind, owner?.problems]).toEqual([kind, problems]);
});
