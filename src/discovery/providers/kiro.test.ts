import { expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { kiro } from "./kiro.ts";

const USER = "/home/me/.kiro/settings/mcp.json";
const entry = (server: object) => readEntry(kiro, USER, { mcpServers: { one: server } });

test("a remote server needs no type and uses HTTP", async () => {
  const { transport, owner } = await entry({ url: "https://one.test/mcp" });
  expect([transport?.kind, owner]).toEqual(["http", { valid: true, problems: [] }]);
});

test("Kiro's switch and tool lists are mapped to Plugboard's names", async () => {
  const { fields } = await entry({
    command: "one",
    disabled: true,
    autoApprove: ["read"],
    disabledTools: ["write"],
    timeout: 9000,
  });
  expect(fields).toEqual({
    type: "stdio",
    command: "one",
    enabled: false,
    autoApprove: ["read"],
    denyTools: ["write"],
    timeout: 9000,
  });
});

test("variables are expanded only in env and headers", async () => {
  const { expansion } = await entry({ command: "one" });
  expect(expansion).toEqual({ syntaxes: ["braced"], fields: ["env", "headers"], unset: "literal" });
});

test("an agent's servers come first, then the workspace's, then the user's", async () => {
  const one = { mcpServers: { one: { command: "one" } } };
  const { entries } = await readOn(kiro, {
    files: {
      [USER]: one,
      "/repo/.kiro/settings/mcp.json": one,
      "/repo/.kiro/agents/review.json": { name: "review", ...one },
    },
  });
  expect(entries.map(({ source }) => source.file)).toEqual([
    "/repo/.kiro/agents/review.json",
    "/repo/.kiro/settings/mcp.json",
    USER,
  ]);
});
