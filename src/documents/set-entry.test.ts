import { expect, test } from "vitest";
import { setEntry } from "./set-entry.ts";

const FILE = `{
  "mcpServers": {
    // mine
    "files": {
      "command": "npx", // runs it
      /* the words */
      "args": [
        "-y", // without a question
        "files"
      ],
      "env": {
        "A": "1", // one
        "B": "2"
      },
      "disabled": true
    }
  }
}
`;
const PATH = ["mcpServers", "files"];
const NOW = { command: "npx", args: ["-y", "files"], env: { A: "1", B: "2" }, disabled: true };

test.each([
  ["no value", NOW, FILE],
  ["one value", { ...NOW, command: "bunx" }, FILE.replace('"npx"', '"bunx"')],
  ["a nested value", { ...NOW, env: { A: "3", B: "2" } }, FILE.replace('"1"', '"3"')],
  [
    "a removed member",
    { ...NOW, env: { A: "1" } },
    FILE.replace('"1", // one\n        "B": "2"', '"1" // one'),
  ],
  ["a member that becomes null", { ...NOW, disabled: null }, FILE.replace("true", "null")],
  [
    "an object that becomes a string",
    { ...NOW, env: "none" },
    FILE.replace(/"env": \{[^}]*\}/, '"env": "none"'),
  ],
  [
    "a string that becomes an object",
    { ...NOW, command: { path: "npx" } },
    FILE.replace('"npx"', '{\n        "path": "npx"\n      }'),
  ],
  [
    "a new member that is null",
    { ...NOW, cwd: null },
    FILE.replace('"disabled": true', '"disabled": true,\n      "cwd": null'),
  ],
  [
    "a new member",
    { ...NOW, cwd: "/srv" },
    FILE.replace('"disabled": true', '"disabled": true,\n      "cwd": "/srv"'),
  ],
])("comments inside an entry stay if %s changes", async (_, wanted, after) => {
  expect(await setEntry(FILE, "json", PATH, wanted)).toBe(after);
});

test("a value that is not an object is replaced", async () => {
  expect(await setEntry('{ "a": { "b": 1 } }', "json", ["a", "b"], { c: 2 })).toBe(
    '{ "a": { "b": {\n  "c": 2\n} } }',
  );
});

test("an empty or missing text becomes an object", async () => {
  expect(JSON.parse(await setEntry("", "json", ["a", "b"], { c: 1 }))).toEqual({ a: { b: { c: 1 } } });
});

test("a TOML table is set, and its comments stay", async () => {
  const text = "[a.b] # mine\nc = 1 # one\n";
  expect(await setEntry(text, "toml", ["a", "b"], { c: 2 })).toBe("[a.b] # mine\nc = 2 # one\n");
});
