import { describe, expect, test } from "vitest";
import { entryOf } from "../../test/support/entries.ts";
import type { JsonObject } from "../model/index.ts";
import { findDuplicates } from "./equivalence.ts";

const duplicates = (...all: readonly JsonObject[]): string[][] =>
  findDuplicates(all.map((fields, index) => entryOf(`s${index}`, fields)));

describe("the same connection under two names", () => {
  test.each<[string, JsonObject, JsonObject]>([
    ["the same words", { command: "node", args: ["a"] }, { command: "node", args: ["a"] }],
    ["npx with and without -y", { command: "npx", args: ["-y", "pkg"] }, { command: "npx", args: ["pkg"] }],
    [
      "npx by its path",
      { command: "/usr/bin/npx", args: ["--yes", "pkg"] },
      { command: "npx", args: ["-y", "pkg"] },
    ],
    [
      "npx of Windows",
      { command: "cmd", args: ["/c", "npx", "-y", "pkg"] },
      { command: "npx.cmd", args: ["pkg"] },
    ],
    ["a program of Windows", { command: "node.exe", args: ["a"] }, { command: "node", args: ["a"] }],
    ["a slash at the end", { url: "https://host/mcp/" }, { url: "https://host/mcp" }],
    ["a host in capitals and its usual port", { url: "https://HOST:443/mcp" }, { url: "https://host/mcp" }],
    [
      "HTTP and SSE at one address",
      { type: "sse", url: "https://host/mcp" },
      { type: "http", url: "https://host/mcp" },
    ],
    ["an address with a variable", { url: "${BASE}/mcp" }, { url: "${BASE}/mcp" }],
    [
      "variables in other words and another order",
      { command: "x", env: { A: "${env:TOKEN}", B: "1" } },
      { command: "x", env: { B: "1", A: "${TOKEN}" } },
    ],
    [
      "headers in other spelling",
      { url: "https://host", headers: { authorization: "Bearer {env:T}" } },
      { url: "https://host", headers: { Authorization: "Bearer ${T}" } },
    ],
    [
      "a token by the name of its variable",
      { url: "https://host", bearerTokenEnv: "T" },
      { url: "https://host", headers: { Authorization: "Bearer ${T}" } },
    ],
  ])("is %s", (_, one, other) => {
    expect(duplicates(one, other)).toEqual([["s0", "s1"]]);
  });
});

describe("two connections stay apart by", () => {
  test.each<[string, JsonObject, JsonObject]>([
    ["the program", { command: "node" }, { command: "deno" }],
    ["an argument", { command: "node", args: ["a"] }, { command: "node", args: ["b"] }],
    ["where words end", { command: "node", args: ["a b"] }, { command: "node", args: ["a", "b"] }],
    ["an empty argument", { command: "node", args: ["", "a"] }, { command: "node", args: ["a"] }],
    [
      "a -y that the package itself gets",
      { command: "npx", args: ["pkg", "-y"] },
      { command: "npx", args: ["pkg"] },
    ],
    [
      "a variable, as for a second account",
      { command: "x", env: { T: "${WORK}" } },
      { command: "x", env: { T: "${HOME}" } },
    ],
    ["the folder", { command: "x", cwd: "/a" }, { command: "x", cwd: "/b" }],
    ["the path", { url: "https://host/a" }, { url: "https://host/b" }],
    ["a parameter", { url: "https://host/a?x=1" }, { url: "https://host/a?x=2" }],
    ["a header", { url: "https://host", headers: { A: "1" } }, { url: "https://host", headers: { A: "2" } }],
    ["the scheme", { url: "http://host" }, { url: "https://host" }],
    ["what they are", { command: "https://host" }, { url: "https://host" }],
  ])("%s", (_, one, other) => {
    expect(duplicates(one, other)).toEqual([]);
  });
});

test("all names of a connection are one group, in order", () => {
  expect(
    duplicates(
      { command: "a" },
      { command: "b" },
      { command: "a" },
      { command: "c" },
      { command: "a" },
      { command: "b" },
    ),
  ).toEqual([
    ["s0", "s2", "s4"],
    ["s1", "s5"],
  ]);
});

test("entries that cannot be used, and entries of one name, are no duplicates", () => {
  expect(duplicates({ type: "stdio" }, { type: "stdio" })).toEqual([]);
  expect(findDuplicates([entryOf("same", { command: "a" }), entryOf("same", { command: "a" })])).toEqual([]);
});
