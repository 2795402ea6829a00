import { expect, test } from "vitest";
import {
  capabilitiesIn,
  instructionsIn,
  LOG_LEVEL,
  modernParams,
  serverIdentity,
  serverInfoOf,
} from "./era.ts";

const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, {}]));

test("capabilities are kept as they are", () => {
  const capabilities = { tools: { listChanged: true }, experimental: { a: {} } };
  expect(capabilitiesIn({ capabilities })).toBe(capabilities);
  expect(capabilitiesIn({ capabilities: [] })).toEqual({});
  expect(capabilitiesIn({})).toEqual({});
});

test("only known capabilities of a small size are kept if there are many", () => {
  const capabilities = { ...many, tools: { listChanged: true }, prompts: many };
  expect(capabilitiesIn({ capabilities })).toStrictEqual({
    tools: { listChanged: true },
    prompts: {},
  });
  expect(capabilitiesIn({ capabilities: { tools: {}, ["k".repeat(1_000_000)]: {} } })).toEqual({ tools: {} });
});

test("long instructions, names and versions are truncated", () => {
  const long = "x".repeat(1_000_000);
  expect(instructionsIn({ instructions: long })).toHaveLength(64 * 1024);
  expect(instructionsIn({ instructions: 1 })).toBeUndefined();
  const { name, version } = serverIdentity({ name: long, version: long });
  expect([name?.length, version?.length]).toEqual([1_024, 1_024]);
});

test.each(["tools", "resources", "prompts", "completions", "logging", "tasks"])(
  "the capability %s is kept from a list that is too large",
  (name) => {
    expect(capabilitiesIn({ capabilities: { ...many, [name]: { a: 1 } } })).toStrictEqual({
      [name]: { a: 1 },
    });
  },
);

test.each([
  ["32 levels", 32, true],
  ["33 levels", 33, false],
])("capabilities may nest, up to a limit: %s", (_, depth, isKept) => {
  const capabilities = JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);
  expect(capabilitiesIn({ capabilities })).toStrictEqual(isKept ? capabilities : {});
});

test("a server's name and version are read from its _meta if they are strings", () => {
  const info = (serverInfo: unknown) =>
    serverInfoOf({ _meta: { "io.modelcontextprotocol/serverInfo": serverInfo as string } });
  expect(info({ name: "files", version: "2", title: "Files" })).toStrictEqual({
    name: "files",
    version: "2",
  });
  expect(info({ name: 1, version: null })).toStrictEqual({});
  for (const odd of ["files", null, []]) expect(info(odd)).toStrictEqual({});
  expect(serverInfoOf({})).toStrictEqual({});
  expect(serverInfoOf({ _meta: null })).toStrictEqual({});
});

test("modern params keep the request's fields, except reserved metadata", () => {
  const identity = { name: "plugboard", version: "1", capabilities: { legacy: {}, modern: { roots: {} } } };
  const ours = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "plugboard", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { roots: {} },
  };
  const theirs = { a: 1, "io.modelcontextprotocol/protocolVersion": "1" };
  expect(modernParams({ name: "x", _meta: theirs }, identity)).toStrictEqual({
    name: "x",
    _meta: { a: 1, ...ours },
  });
  expect(modernParams({ _meta: "odd" }, identity)).toStrictEqual({ _meta: ours });
  expect(LOG_LEVEL).toBe("io.modelcontextprotocol/logLevel");
});
