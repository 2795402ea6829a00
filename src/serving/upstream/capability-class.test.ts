import { expect, test } from "vitest";
import type { JsonObject } from "../../model/index.ts";
import { capabilityClass } from "./capability-class.ts";

const classOf = (capabilities: JsonObject) =>
  capabilityClass({ era: "modern", version: "2026-07-28", capabilities }, { roots: true });

const UI = "io.modelcontextprotocol/ui";
const TASKS = "io.modelcontextprotocol/tasks";
const HTML = "text/html;profile=mcp-app";

test.each([
  { [UI]: { mimeTypes: [HTML], theme: "a" } },
  { [UI]: { mimeTypes: [HTML, "application/x-1"] } },
  { [UI]: { mimeTypes: [HTML, HTML, 1, null] } },
  { [UI]: { mimeTypes: [HTML] }, "example.com/other": { n: 1 } },
])("clients that differ in unknown fields of an extension have one class: %j", (extensions) => {
  expect(classOf({ extensions }).id).toBe(classOf({ extensions: { [UI]: { mimeTypes: [HTML] } } }).id);
});

test("servers are told the known fields of the extensions", () => {
  const { announce } = classOf({ extensions: { [UI]: { mimeTypes: [HTML] }, [TASKS]: { any: 1 } } });
  expect(announce.modern).toEqual({ extensions: { [UI]: { mimeTypes: [HTML] }, [TASKS]: {} } });
  expect(announce.legacy).toEqual({ extensions: { [UI]: { mimeTypes: [HTML] } } });
});
