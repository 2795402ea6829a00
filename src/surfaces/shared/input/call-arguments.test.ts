import { expect, test } from "vitest";
import { parseCallArguments } from "./call-arguments.ts";

const SCHEMA = {
  type: "object",
  properties: {
    message: { type: "string" },
    count: { type: ["integer", "null"] },
    paths: { type: "array", items: { type: "string" } },
    either: { anyOf: [{ type: "string" }, { type: "array" }] },
    point: { type: "object", properties: { x: { type: "number" }, y: { type: "number" } } },
    anything: {},
  },
} as const;

test.each([
  ["a text", ["message=a", "message=b"], "message"],
  ["a number", ["count=1", "count=2"], "count"],
  ["a member of an object", ["point.x=1", "point.y=2", "point.x=3"], "point.x"],
  ["JSON", ["message=a", 'message:="b"'], "message"],
  ["a value of any type", ["anything=a", "anything=b"], "anything"],
])("a repeated value for %s is a usage error", async (_, words, key) => {
  await expect(parseCallArguments(words, SCHEMA, {})).rejects.toMatchObject({
    code: "USAGE_INVALID",
    message: `"${key}" is given more than once.`,
    hint: `Only a list may have several values. Write ${key}=… once, or ${key}:=[…].`,
  });
});

test("repeated values for a list are collected, and a value replaces that of --input", async () => {
  const words = ["paths=a", "paths=b", "either=x", "either=y", "message=new", "point.x=1", "point.y=2"];
  expect(await parseCallArguments(words, SCHEMA, { message: "old", paths: ["old"] })).toEqual({
    message: "new",
    paths: ["a", "b"],
    either: ["x", "y"],
    point: { x: 1, y: 2 },
  });
});
