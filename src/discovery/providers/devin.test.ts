import { expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { devin } from "./devin.ts";

const USER = "/home/me/.config/devin/mcp_config.json";

test.each([
  ["HTTP first, then SSE", { url: "https://one.test" }, { kind: "http", candidates: ["http", "sse"] }],
  ["explicit SSE", { url: "https://one.test", transport: "sse" }, { kind: "sse" }],
  ["explicit HTTP", { url: "https://one.test", transport: "http" }, { kind: "http" }],
  ["a local server", { command: "one" }, { kind: "stdio" }],
])("`transport` sets the transport: %s", async (_, server, expected) => {
  const { transport } = await readEntry(devin, USER, { mcpServers: { one: server } });
  expect(transport).toMatchObject(expected);
});

test("local comes before project and project before user, and old files after new ones", async () => {
  const one = { mcpServers: { one: { command: "one" } } };
  const { entries } = await readOn(devin, {
    files: {
      [USER]: one,
      "/home/me/.config/devin/config.json": one,
      "/repo/.devin/config.json": one,
      "/repo/.devin/mcp_config.json": one,
      "/repo/.devin/mcp_config.local.json": `// mine\n${JSON.stringify(one)}`,
    },
  });
  expect(entries.map(({ source: { file, scope, tier } }) => [file, scope, tier])).toEqual([
    ["/repo/.devin/mcp_config.local.json", "local", "project"],
    ["/repo/.devin/mcp_config.json", "project", "project"],
    ["/repo/.devin/config.json", "project", "project"],
    [USER, "user", "user"],
    ["/home/me/.config/devin/config.json", "user", "user"],
  ]);
});
