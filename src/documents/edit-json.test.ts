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

  test("replaces a value where it stands", () => {
    expect(setJsonMember(COMMENTED, ["other"], 2)).toBe(COMMENTED.replace('"other": 1', '"other": 2'));
  });

  test.each([
    ["tabs", '{\n\t"a": {\n\t\t"b": 1\n\t}\n}\n', '{\n\t"a": {\n\t\t"b": 1,\n\t\t"c": 2\n\t}\n}\n'],
    [
      "Windows line ends",
      '{\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}\r\n',
      '{\r\n  "a": {\r\n    "b": 1,\r\n    "c": 2\r\n  }\r\n}\r\n',
    ],
    ["one line", '{ "a": { "b": 1 } }', '{ "a": { "b": 1, "c": 2 } }'],
    [
      "a trailing comma",
      '{\n  "a": {\n    "b": 1,\n  },\n}\n',
      '{\n  "a": {\n    "b": 1,\n    "c": 2,\n  },\n}\n',
    ],
  ])("keeps %s", (_, before, after) => {
    expect(setJsonMember(before, ["a", "c"], 2)).toBe(after);
  });

  test("refuses to go through something that is not an object", () => {
    expect(() => setJsonMember('{ "a": 1 }', ["a", "b"], 2)).toThrow("is not an object");
  });
});

describe("removing a member", () => {
  test("takes its line and its comma", () => {
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

  test("leaves the text alone when there is nothing to remove", () => {
    expect(removeJsonMember(COMMENTED, ["mcpServers", "nobody"])).toBe(COMMENTED);
  });

  test("works on one line", () => {
    expect(removeJsonMember('{ "a": 1, "b": 2 }', ["a"])).toBe('{ "b": 2 }');
    expect(removeJsonMember('{ "a": 1, "b": 2 }', ["b"])).toBe('{ "a": 1 }');
  });
});

test("every edit of every document changes that member and nothing else", () => {
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
