import * as fc from "fast-check";
import { expect, test } from "vitest";
import { PROJECT, serverOf, USER } from "../../test/support/entries.ts";
import type { JsonObject, JsonValue, ToolDefinition } from "../model/index.ts";
import { comparePins, listHash, pinnedFields, pinPolicy, toolHash } from "./pins.ts";

const TOOL: ToolDefinition = {
  name: "read",
  title: "Read",
  description: "Reads a file.",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string", description: "Where" } },
    required: ["path"],
  },
  outputSchema: { type: "object", properties: { text: { type: "string" } } },
  annotations: { readOnlyHint: true, title: "Read" },
};
const pinned = (...tools: readonly ToolDefinition[]) =>
  new Map(tools.map((tool) => [tool.name, pinnedFields(tool)]));

/** Every value inside, by the way to it. */
function placesIn(value: JsonValue, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, member]) => placesIn(member, [...path, key]))];
}

function changedAt(
  value: JsonValue,
  [key, ...rest]: readonly string[],
  to: JsonValue | undefined,
): JsonValue {
  if (key === undefined) return to ?? null;
  const copy: Record<string, JsonValue> | JsonValue[] = Array.isArray(value)
    ? [...value]
    : { ...(value as JsonObject) };
  const table = copy as Record<string, JsonValue>;
  if (rest.length === 0 && to === undefined) delete table[key];
  else table[key] = changedAt(table[key] ?? null, rest, to);
  return copy;
}

test("every single change of a tool is noticed, and names its field", () => {
  const whole = TOOL as unknown as JsonObject;
  const places = placesIn(whole).filter((path) => path.length > 0 && path[0] !== "name");
  const other = fc.oneof(fc.constant(undefined), fc.constant("other"), fc.constant(false), fc.constant([]));
  fc.assert(
    fc.property(fc.constantFrom(...places), other, (path, to) => {
      const changed = changedAt(whole, path, to) as unknown as ToolDefinition;
      fc.pre(JSON.stringify(changed) !== JSON.stringify(TOOL));
      expect(comparePins(pinned(TOOL), [changed])).toMatchObject([
        { tool: "read", kind: "changed", changes: [{ field: path[0] }] },
      ]);
      expect(listHash([changed])).not.toBe(listHash([TOOL]));
    }),
    { numRuns: 500 },
  );
});

test("the order of keys and of tools is no change", () => {
  const { properties = {}, ...rest } = TOOL.inputSchema;
  const turned = { ...TOOL, inputSchema: { ...rest, properties } };
  const second = { ...TOOL, name: "write" };
  expect(comparePins(pinned(TOOL, second), [second, turned])).toEqual([]);
  expect(listHash([TOOL, second])).toBe(listHash([second, turned]));
});

test("a renamed tool is one gone and one new", () => {
  expect(comparePins(pinned(TOOL), [{ ...TOOL, name: "read_all" }])).toEqual([
    { tool: "read_all", kind: "new", changes: expect.any(Array) },
    { tool: "read", kind: "gone", changes: [] },
  ]);
});

test("the difference says what it was and what it is", () => {
  expect(comparePins(pinned(TOOL), [{ ...TOOL, description: "Sends a file." }])).toEqual([
    {
      tool: "read",
      kind: "changed",
      changes: [{ field: "description", before: "Reads a file.", after: "Sends a file." }],
    },
  ]);
});

test("a name with a meaning in JavaScript is one like any", () => {
  const tool = { ...TOOL, name: "__proto__" };
  expect(comparePins(pinned(tool), [tool])).toEqual([]);
  expect(comparePins(pinned(TOOL), [TOOL, tool])).toMatchObject([{ tool: "__proto__", kind: "new" }]);
});

test.each<[string, JsonObject, typeof USER, string]>([
  ["a person's own", {}, USER, "warn"],
  ["a project's", {}, PROJECT, "hold"],
  ["a project's that is trusted", { trust: "trusted" }, PROJECT, "hold"],
  ["an untrusted one", { trust: "untrusted" }, USER, "hold"],
  ["one that says so", { pins: "off" }, PROJECT, "off"],
  ["one with a slip", { pins: "maybe" }, USER, "hold"],
])("what becomes of changed tools: %s", (_, fields, provenance, policy) => {
  expect(pinPolicy(serverOf("a", { command: "x", ...fields }, provenance))).toBe(policy);
});

test("only what reaches a model, or decides over it, is pinned", () => {
  const { name: _, ...fields } = TOOL;
  expect(pinnedFields({ ...TOOL, icons: [] } as ToolDefinition)).toEqual(fields);
  expect(pinnedFields({ inputSchema: {} })).toEqual({ inputSchema: {} });
});

test("all of a new tool is new", () => {
  const added: ToolDefinition = { name: "new", description: "Adds.", inputSchema: { type: "object" } };
  expect(comparePins(pinned(), [added])).toEqual([
    {
      tool: "new",
      kind: "new",
      changes: [
        { field: "description", before: undefined, after: "Adds." },
        { field: "inputSchema", before: undefined, after: { type: "object" } },
      ],
    },
  ]);
});

test("the hash of a tool covers its name, and the hash of a list each of its tools", () => {
  const renamed = { ...TOOL, name: "write" };
  expect(toolHash(renamed)).not.toBe(toolHash(TOOL));
  expect(toolHash({ ...TOOL })).toBe(toolHash(TOOL));
  expect(listHash([TOOL])).not.toBe(toolHash(TOOL));
  expect(
    new Set([listHash([]), listHash([TOOL]), listHash([TOOL, TOOL]), listHash([TOOL, renamed])]).size,
  ).toBe(4);
});
