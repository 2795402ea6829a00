import { describe, expect, test } from "vitest";
import { entryOf } from "../../test/support/entries.ts";
import type { JsonObject } from "../model/index.ts";
import { findDuplicates } from "./equivalence.ts";

const duplicates = (...all: readonly JsonObject[]): string[][] =>
  findDuplicates(all.map((fields, index) => entryOf(`s${index}`, fields)));

describe("the same connection under two names", () => {
  test.each<[string, JsonObject, JsonObject]>([
    ["the same command", { command: "node", args: ["a"] }, { command: "node", args: ["a"] }],
    ["npx with and without -y", { command: "npx", args: ["-y", "pkg"] }, { command: "npx", args: ["pkg"] }],
    [
      "npx with its path",
      { command: "/usr/bin/npx", args: ["--yes", "pkg"] },
      { command: "npx", args: ["-y", "pkg"] },
    ],
    [
      "npx on Windows",
      { command: "cmd", args: ["/c", "npx", "-y", "pkg"] },
      { command: "npx.cmd", args: ["pkg"] },
    ],
    ["a Windows program", { command: "node.exe", args: ["a"] }, { command: "node", args: ["a"] }],
    ["a trailing slash", { url: "https://host/mcp/" }, { url: "https://host/mcp" }],
    ["an uppercase host and the default port", { url: "https://HOST:443/mcp" }, { url: "https://host/mcp" }],
    [
      "HTTP and SSE at one URL",
      { type: "sse", url: "https://host/mcp" },
      { type: "http", url: "https://host/mcp" },
    ],
    ["a URL with a variable", { url: "${BASE}/mcp" }, { url: "${BASE}/mcp" }],
    [
      "variables in another syntax and order",
      { command: "x", env: { A: "${env:TOKEN}", B: "1" } },
      { command: "x", env: { B: "1", A: "${TOKEN}" } },
    ],
    [
      "headers in another spelling",
      { url: "https://host", headers: { authorization: "Bearer {env:T}" } },
      { url: "https://host", headers: { Authorization: "Bearer ${T}" } },
    ],
    [
      "a token from a variable",
      { url: "https://host", bearerTokenEnv: "T" },
      { url: "https://host", headers: { Authorization: "Bearer ${T}" } },
    ],
  ])("is found with %s", (_, one, other) => {
    expect(duplicates(one, other)).toEqual([["s0", "s1"]]);
  });
});

describe("connections differ by", () => {
  test.each<[string, JsonObject, JsonObject]>([
    ["the program", { command: "node" }, { command: "deno" }],
    ["an argument", { command: "node", args: ["a"] }, { command: "node", args: ["b"] }],
    ["word boundaries", { command: "node", args: ["a b"] }, { command: "node", args: ["a", "b"] }],
    ["an empty argument", { command: "node", args: ["", "a"] }, { command: "node", args: ["a"] }],
    [
      "a -y for the package itself",
      { command: "npx", args: ["pkg", "-y"] },
      { command: "npx", args: ["pkg"] },
    ],
    [
      "a variable, such as for a second account",
      { command: "x", env: { T: "${WORK}" } },
      { command: "x", env: { T: "${HOME}" } },
    ],
    ["the folder", { command: "x", cwd: "/a" }, { command: "x", cwd: "/b" }],
    ["the path", { url: "https://host/a" }, { url: "https://host/b" }],
    ["a parameter", { url: "https://host/a?x=1" }, { url: "https://host/a?x=2" }],
    ["a header", { url: "https://host", headers: { A: "1" } }, { url: "https://host", headers: { A: "2" } }],
    ["the scheme", { url: "http://host" }, { url: "https://host" }],
    ["the transport", { command: "https://host" }, { url: "https://host" }],
  ])("%s", (_, one, other) => {
    expect(duplicates(one, other)).toEqual([]);
  });
});

test("all names of a connection form one group, in order", () => {
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

test("invalid entries, and entries with the same name, are not duplicates", () => {
  expect(duplicates({ type: "stdio" }, { type: "stdio" })).toEqual([]);
  expect(findDuplicates([entryOf("same", { command: "a" }), entryOf("same", { command: "a" })])).toEqual([]);
});
