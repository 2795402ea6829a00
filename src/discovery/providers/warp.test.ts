import { expect, test } from "vitest";
import { readEntry } from "../../../test/support/machine.ts";
import { warp } from "./warp.ts";

test.each(["mcpServers", "mcp_servers", "servers"])("servers are found under %s", async (key) => {
  const { fields } = await readEntry(warp, "/repo/.warp/.mcp.json", {
    [key]: { one: { command: "one", working_directory: "/w" } },
  });
  expect(fields).toEqual({ type: "stdio", command: "one", cwd: "/w" });
});
