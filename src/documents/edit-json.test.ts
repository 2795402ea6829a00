import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../model/index.ts";
import { removeJsonMember, setJsonMember } from "./edit-json.ts";
import { parseJson } from "./parse-json.ts";

const COMMENTED = `{
  // my servers
  "mcpServers": {
    "files": { "command": "npx" }, // keep me
    /* and me */
    "last": {
      "command": "node",
    } // the end
  },
  "other": 1
}
`;

describe("setting a member", () => {
  test("adds to an empty file", () => {
    expect(setJsonMember("", ["mcpServers", "a"], { command: "x" })).toBe(
      '{\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n'.replace("  \n", "\n"),
    );
  });

  test("keeps comments, order and trailing comments", () => {
    expect(setJsonMember(COMMENTED, ["mcpServers", "new"], { command: "x", args: ["-y", "p"] })).toBe(`{
  // my servers
  "mcpServers": {
    "files": { "command": "npx" }, // keep me
    /* and me */
    "last": {
      "command": "node",
    }, // the end
    "new": {
      "command": "x",
      "args": ["-y", "p"]
    }
  },
  "other": 1
}
`);
  });

  test("replaces a value in place", () => {
    expect(setJsonMember(COMMENTED, ["other"], 2)).toBe(COMMENTED.replace('"other": 1', '"other": 2'));
  });

  test.each([
    ["tabs", '{\n\t"a": {\n\t\t"b": 1\n\t}\n}\n', '{\n\t"a": {\n\t\t"b": 1,\n\t\t"c": 2\n\t}\n}\n'],
    [
      "Windows line endings",
      '{\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}\r\n',
      '{\r\n  "a": {\r\n    "b": 1,\r\n    "c": 2\r\n  }\r\n}\r\n',
    ],
    ["one line", '{ "a": { "b": 1 } }', '{ "a": { "b": 1, "c": 2 } }'],
    ["one line of several", '{\n  "a": { "b": 1 }\n}\n', '{\n  "a": { "b": 1, "c": 2 }\n}\n'],
    ["a trailing comma on one line", '{ "a": { "b": 1, }, }', '{ "a": { "b": 1, "c": 2 }, }'],
    [
      "a comment before a trailing comma on one line",
      '{ "a": { "b": 1 /* one */, } }',
      '{ "a": { "b": 1 /* one */, "c": 2 } }',
    ],
    [
      "a comment before a trailing comma",
      '{\n  "a": {\n    "b": 1 /* , */ // one,\n    , // two\n  }\n}\n',
      '{\n  "a": {\n    "b": 1 /* , */ // one,\n    , // two\n    "c": 2,\n  }\n}\n',
    ],
    [
      "comments after the last member",
      '{\n  "a": {\n    "b": 1 /* one */ /* two */\n  }\n}\n',
      '{\n  "a": {\n    "b": 1, /* one */ /* two */\n    "c": 2\n  }\n}\n',
    ],
    [
      "comments in an empty object",
      '{\n  "a": {\n    // none yet\n  }\n}\n',
      '{\n  "a": {\n    // none yet\n    "c": 2\n  }\n}\n',
    ],
    ["a byte order mark", '\ufeff{ "a": { "b": 1 } }', '\ufeff{ "a": { "b": 1, "c": 2 } }'],
    ["a byte order mark alone", "\ufeff{\n}", '\ufeff{\n  "a": {\n    "c": 2\n  }\n}'],
    [
      "a trailing comma",
      '{\n  "a": {\n    "b": 1,\n  },\n}\n',
      '{\n  "a": {\n    "b": 1,\n    "c": 2,\n  },\n}\n',
    ],
  ])("keeps %s", (_, before, after) => {
    expect(setJsonMember(before, ["a", "c"], 2)).toBe(after);
  });

  test.each([
    ["an empty text", ""],
    ["a text of white space", " \r\n\t"],
  ])("creates an object from %s", (_, text) => {
    expect(setJsonMember(text, ["a"], 1)).toBe('{\n  "a": 1\n}\n');
  });

  test.each<[string, JsonValue, string]>([
    ["an empty object", {}, "{}"],
    ["an empty list", [], "[]"],
    ["null", null, "null"],
    ["a short list of scalar values", ["a", 1, null, true], '["a", 1, null, true]'],
    ["a list of the maximum line length", ["x".repeat(96)], `["${"x".repeat(96)}"]`],
    ["a list that is too long for a line", ["x".repeat(97)], `[\n    "${"x".repeat(97)}"\n  ]`],
    ["a list with an object", [1, { b: [2] }], '[\n    1,\n    {\n      "b": [2]\n    }\n  ]'],
    ["a list with a list", [["a"], ["b"]], '[\n    ["a"],\n    ["b"]\n  ]'],
  ])("writes %s in the style of the file", (_, value, written) => {
    expect(setJsonMember('{\n  "a": 0\n}', ["a"], value)).toBe(`{\n  "a": ${written}\n}`);
  });

  test.each([
    ["a value", '{ "a": 1 }', ["a", "b"], '"a" is not an object'],
    ["a list", '{ "a": { "b": [] } }', ["a", "b", "c", "d"], '"a.b" is not an object'],
    ["a list at the top", "[1]", ["a"], "the text is not an object"],
  ])("throws if the path goes through %s", (_, text, path, message) => {
    expect(() => setJsonMember(text, path, 2)).toThrow(message);
  });
});

describe("removing a member", () => {
  test("leaves an object without members on one line, unless it has comments", () => {
    const text = (inside: string): string => `{\n  "a": {\n${inside}  },\n  "b": 1\n}\n`;
    const removed = (inside: string): string => removeJsonMember(text(inside), ["a", "x"]);
    expect(removed('    "x": 1\n')).toBe('{\n  "a": {},\n  "b": 1\n}\n');
    expect(removed('    "x": 1, // why\n')).toBe('{\n  "a": {},\n  "b": 1\n}\n');
    expect(removed('    // kept\n    "x": 1\n')).toBe(text("    // kept\n"));
    expect(removed('    "x": 1,\n    "y": 2\n')).toBe(text('    "y": 2\n'));
  });

  test("removes its line and its comma", () => {
    expect(removeJsonMember(COMMENTED, ["mcpServers", "last"])).toBe(
      `{
  // my servers
  "mcpServers": {
    "files": { "command": "npx" }
  },
  "other": 1
}
`.replace('{ "command": "npx" }\n', '{ "command": "npx" } // keep me\n    /* and me */\n'),
    );
  });

  test.each([[["mcpServers", "missing"]], [["missing", "files"]], [["other", "files"]]])(
    "leaves the text unchanged if %j does not exist",
    (path) => {
      expect(removeJsonMember(COMMENTED, path)).toBe(COMMENTED);
    },
  );

  test.each([
    ["the first on a line", '{ "a": 1, "b": 2 }', '{ "b": 2 }'],
    ["the last on a line", '{ "b": 2, "a": 1 }', '{ "b": 2 }'],
    ["the only one on a line", '{ "a": 1 }', "{ }"],
    ["the first on a line without spaces", '{"a": 1, "b": 2}', '{"b": 2}'],
    ["the last on a line without spaces", '{"b": 2, "a": 1}', '{"b": 2}'],
    ["one with a trailing comma on a line", '{"b": 2, "a": 1,}', '{"b": 2, }'],
    ["the first of its line", '{\n  "a": 1, "b": 2\n}', '{\n  "b": 2\n}'],
    ["the last of its line", '{\n  "b": 2, "a": 1\n}', '{\n  "b": 2\n}'],
    ["one next to the opening brace", '{"a": 1,\n  "b": 2\n}', '{\n  "b": 2\n}'],
    ["one next to the closing brace", '{\n  "b": 2,\n  "a": 1 }', '{\n  "b": 2\n }'],
    ["one between others", '{\n  "b": 2,\n  "a": 1,\n  "c": 3\n}', '{\n  "b": 2,\n  "c": 3\n}'],
    ["one over several lines", '{\n  "a": [\n    1\n  ],\n  "c": 3\n}', '{\n  "c": 3\n}'],
    ["the last with a trailing comma", '{\n  "b": 2,\n  "a": 1,\n}', '{\n  "b": 2,\n}'],
    ["one with its comment", '{\n  "a": 1, // one\n  "b": 2 // two\n}', '{\n  "b": 2 // two\n}'],
    ["one with a comment before its comma", '{"a": 1 /* , */ , "b": 2}', '{"b": 2}'],
    [
      "the last after a comment before its comma",
      '{\n  "b": 2 // two,\n  ,\n  "a": 1\n}',
      '{\n  "b": 2 // two,\n  \n}',
    ],
    ["one with Windows line endings", '{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n', '{\r\n  "b": 2\r\n}\r\n'],
    ["the last with Windows line endings", '{\r\n  "b": 2,\r\n  "a": 1\r\n}\r\n', '{\r\n  "b": 2\r\n}\r\n'],
    ["one after a byte order mark", '\ufeff{ "a": 1, "b": 2 }', '\ufeff{ "b": 2 }'],
  ])("removes %s", (_, before, after) => {
    expect(removeJsonMember(before, ["a"])).toBe(after);
  });

  test("throws if an earlier member with the same name would become active", () => {
    expect(() => removeJsonMember('{ "a": 1, "a": 2 }', ["a"])).toThrow(
      "the file could not be edited without changing other parts of it",
    );
  });
});

test("every edit changes only that member", () => {
  const key = fc.constantFrom("a", "b", "mcpServers", "__proto__", "x.y", "über");
  const member = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.array(fc.constantFrom("[ ", " ]", "{ ", " }, ", 1)),
  );
  const object = fc.dictionary(key, fc.oneof(member, fc.dictionary(key, member)));
  fc.assert(
    fc.property(
      object,
      key,
      key,
      member,
      fc.constantFrom(undefined, 2, "\t"),
      (base, outer, inner, value, indent) => {
        const text = JSON.stringify(base, undefined, indent);
        const before = parseJson(text).value as Record<string, JsonValue>;
        const target = before[outer];
        const fits =
          target === undefined || (typeof target === "object" && target !== null && !Array.isArray(target));
        if (!fits) return;
        const set = setJsonMember(text, [outer, inner], value as JsonValue);
        const back = removeJsonMember(set, [outer, inner]);
        expect((parseJson(set).value as Record<string, Record<string, unknown>>)[outer]?.[inner]).toEqual(
          parseJson(JSON.stringify(value)).value,
        );
        expect(parseJson(back).problems).toEqual([]);
      },
    ),
  );
});

describe("a file that is slow to edit", () => {
  const set = (text: string): string => setJsonMember(text, ["mcpServers", "new"], 1);
  const after = (comments: string): string => `{\n  "mcpServers": {\n    "a": 1 ${comments}}\n}\n`;

  test.each([
    ["many comments, but not to the end of the line", "/**/".repeat(32)],
    ["many stars", `/*${"*".repeat(200_000)}*/`],
    ["very many comments to the end of the line", `${"/* */".repeat(100_000)}\n`],
  ])("is edited in linear time: %s", (_, comments) => {
    expect(parseJson(set(after(comments))).value).toEqual({ mcpServers: { a: 1, new: 1 } });
  });

  test("has a member removed in linear time, however many blanks there are", () => {
    const blanks = " ".repeat(300_000);
    const text = `{ "a": 1,${blanks}"b": 2, "c": 3 }`;
    expect(removeJsonMember(text, ["c"])).toBe(`{ "a": 1,${blanks}"b": 2 }`);
  });
});
