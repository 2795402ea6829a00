import { expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { factory } from "./factory.ts";

const USER = "/home/me/.factory/mcp.json";
const entry = (server: object) => readEntry(factory, USER, { mcpServers: { one: server } });

test.each([
  [
    "without a type is read as stdio and never connects",
    { url: "https://one.test" },
    undefined,
    ["url-without-type"],
  ],
  ["with the type http uses HTTP", { type: "http", url: "https://one.test" }, "http", []],
  ["with the type sse uses SSE", { type: "sse", url: "https://one.test" }, "sse", []],
  [
    "with another spelling of the type is rejected",
    { type: "streamable-http", url: "https://one.test" },
    undefined,
    ["unknown-type"],
  ],
])("for Factory, a url %s", async (_, server, kind, problems) => {
  const { transport, owner } = await entry(server);
  expect([transport?.kind, owner?.valid, owner?.problems]).toEqual([kind, problems.length === 0, problems]);
});

test.each([
  [
    "an allow list overrides the deny list",
    { enabledTools: ["a"], disabledTools: ["b"] },
    { allowTools: ["a"], disabledTools: ["b"] },
  ],
  ["a deny list alone is used", { disabledTools: ["b"] }, { denyTools: ["b"] }],
  ["its timeout is in milliseconds", { timeoutMs: 5000 }, { timeout: 5000 }],
  ["`disabled` is supported", { disabled: true }, { enabled: false }],
  ["sign-in can be disabled", { oauth: false }, { oauth: false }],
])("%s", async (_, more, expected) => {
  const { fields } = await entry({ command: "one", ...more });
  expect(fields).toEqual({ type: "stdio", command: "one", ...expected });
});

test("the nearest folder of the project comes first and the user's file last", async () => {
  const one = { mcpServers: { one: { command: "one" } } };
  const { entries } = await readOn(factory, {
    cwd: "/repo/sub",
    files: {
      [USER]: one,
      "/repo/.git/HEAD": "",
      "/repo/.factory/mcp.json": one,
      "/repo/sub/.factory/mcp.json": one,
    },
  });
  expect(entries.map(({ source }) => source.file)).toEqual([
    "/repo/sub/.factory/mcp.json",
    "/repo/.factory/mcp.json",
    USER,
  ]);
});

test.each([
  ['{ "mcpServers": {}, }', "has a trailing comma", { line: 1, column: 19 }],
  ['{\n "mcpServers": {} // mine\n, }', "has a comment", { line: 2, column: 19 }],
  ['{\n "list": [1,\n ],\n // mine\n}', "has a trailing comma", { line: 2, column: 12 }],
])("comments and trailing commas are reported with their positions: %j", async (text, has, position) => {
  const { complaints = [] } = await readOn(factory, { files: { [USER]: text } });
  const message = `${has}: Factory droid reads strict JSON and would reject this file`;
  expect(complaints.map(({ code, at, ...rest }) => [code, rest.message, at])).toEqual([
    ["owner-refuses", message, position],
  ]);
});
