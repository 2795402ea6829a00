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

/** Returns the paths of all nested values. */
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

test("every change of a tool is found, with its field", () => {
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

test("the order of keys and tools does not matter", () => {
  const { properties = {}, ...rest } = TOOL.inputSchema;
  const turned = { ...TOOL, inputSchema: { ...rest, properties } };
  const second = { ...TOOL, name: "write" };
  expect(comparePins(pinned(TOOL, second), [second, turned])).toEqual([]);
  expect(listHash([TOOL, second])).toBe(listHash([second, turned]));
});

test("a renamed tool counts as one removed tool and one new tool", () => {
  expect(comparePins(pinned(TOOL), [{ ...TOOL, name: "read_all" }])).toEqual([
    { tool: "read_all", kind: "new", changes: expect.any(Array) },
    { tool: "read", kind: "gone", changes: [] },
  ]);
});

test("a difference has the values before and after", () => {
  expect(comparePins(pinned(TOOL), [{ ...TOOL, description: "Sends a file." }])).toEqual([
    {
      tool: "read",
      kind: "changed",
      changes: [{ field: "description", before: "Reads a file.", after: "Sends a file." }],
    },
  ]);
});

test("a tool may have a name that is special in JavaScript", () => {
  const tool = { ...TOOL, name: "__proto__" };
  expect(comparePins(pinned(tool), [tool])).toEqual([]);
  expect(comparePins(pinned(TOOL), [TOOL, tool])).toMatchObject([{ tool: "__proto__", kind: "new" }]);
});

test.each<[string, JsonObject, typeof USER, string]>([
  ["the user's own", {}, USER, "warn"],
  ["a project's server", {}, PROJECT, "hold"],
  ["a trusted project server", { trust: "trusted" }, PROJECT, "hold"],
  ["an untrusted server", { trust: "untrusted" }, USER, "hold"],
  ["an explicit policy", { pins: "off" }, PROJECT, "off"],
  ["an invalid policy", { pins: "maybe" }, USER, "hold"],
])("the pin policy of %s", (_, fields, provenance, policy) => {
  expect(pinPolicy(serverOf("a", { command: "x", ...fields }, provenance))).toBe(policy);
});

test("only fields that reach a model or affect decisions are pinned", () => {
  const { name: _, ...fields } = TOOL;
  expect(pinnedFields({ ...TOOL, icons: [] } as ToolDefinition)).toEqual(fields);
  expect(pinnedFields({ inputSchema: {} })).toEqual({ inputSchema: {} });
});

test("a new tool has all its fields as changes", () => {
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
