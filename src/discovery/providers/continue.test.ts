import { expect, test } from "vitest";
import { onlyEntry, readEntry, readOn } from "../../../test/support/machine.ts";
import { continueDev } from "./continue.ts";

const CONFIG = "/home/me/.continue/config.yaml";
const BLOCK = "/repo/.continue/mcpServers/one.yaml";
const JSON_FILE = "/repo/.continue/mcpServers/one.json";

test("an apiKey becomes a header, and other request options are kept", async () => {
  const { fields } = await readEntry(
    continueDev,
    CONFIG,
    "mcpServers:\n  - { name: one, url: https://one.test, apiKey: k, requestOptions: { headers: { X: y }, verifySsl: false } }",
  );
  expect(fields).toEqual({
    type: "http",
    url: "https://one.test",
    headers: { Authorization: "Bearer k", X: "y" },
    requestOptions: { verifySsl: false },
  });
});

test("an item without a name is reported and does not affect others", async () => {
  const files = { [CONFIG]: "mcpServers:\n  - { command: a }\n  - 7\n  - { name: b, command: b }" };
  const { entries, complaints = [] } = await readOn(continueDev, { files });
  expect([entries.map(({ name }) => name), complaints.map(({ message }) => message)]).toEqual([
    ["b"],
    ["server 1 has no name", "server 2 must be an object"],
  ]);
});

test("a block without its metadata would be rejected", async () => {
  const { entries, complaints = [] } = await readOn(continueDev, {
    files: { [BLOCK]: "name: One\nmcpServers:\n  - { name: one, command: one }" },
  });
  expect([entries.length, complaints.map(({ message }) => message)]).toEqual([
    1,
    ['has no "version", "schema": Continue would reject this file'],
  ]);
});

test.each([
  ["http", "http"],
  ["sse", "sse"],
  ["streamable-http", "sse"],
  ["stdio", "stdio"],
])("in an imported file the type %s means %s", async (type, kind) => {
  const server = kind === "stdio" ? { type, command: "one" } : { type, url: "https://one.test" };
  const { transport, owner } = await readEntry(continueDev, JSON_FILE, { mcpServers: { one: server } });
  expect([transport?.kind, owner?.valid]).toEqual([kind, true]);
});

test("the types of imported files are unknown in a list", async () => {
  const text = "mcpServers:\n  - { name: one, type: http, url: https://one.test }";
  const { transport, owner } = await readEntry(continueDev, CONFIG, text);
  expect([transport, owner]).toEqual([undefined, { valid: false, problems: ["unknown-type"] }]);
});

test("an imported file of Claude Code includes the servers of its projects", async () => {
  const { entries } = await readOn(continueDev, {
    files: {
      [JSON_FILE]: {
        mcpServers: { a: { command: "a" } },
        projects: { "/x": { mcpServers: { b: { command: "b" } } }, "/y": {} },
      },
    },
  });
  expect(entries.map(({ name, path }) => [name, path])).toEqual([
    ["a", ["mcpServers", "a"]],
    ["b", ["projects", "/x", "mcpServers", "b"]],
  ]);
});

test("imported files expand variables only in env, and envFile is not supported", async () => {
  const { fields, expansion, owner } = await readEntry(continueDev, JSON_FILE, {
    command: "one",
    env: { A: "${B}" },
    envFile: ".env",
  });
  expect([fields["envFile"], expansion.fields, owner]).toEqual([
    undefined,
    ["env"],
    { valid: true, problems: ["unsupported-field"] },
  ]);
});

test("the old config is used if there is no new one", async () => {
  const old = {
    experimental: {
      modelContextProtocolServers: [{ transport: { type: "stdio", command: "one", args: ["-v"] } }],
    },
  };
  const path = "/home/me/.continue/config.json";
  const alone = onlyEntry(await readOn(continueDev, { files: { [path]: old } }));
  const beside = await readOn(continueDev, { files: { [path]: old, [CONFIG]: "name: me\n" } });
  expect([alone.name, alone.fields, beside.entries]).toEqual([
    "mcp-1",
    { type: "stdio", command: "one", args: ["-v"] },
    [],
  ]);
});
