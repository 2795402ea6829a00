import { expect, test } from "vitest";
import type { JsonObject } from "../../model/index.ts";
import { capabilityClass } from "./capability-class.ts";

const classOf = (capabilities: JsonObject) => capabilityClass({ capabilities }, { roots: true });

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

test("only known fields of the extensions are announced to servers", () => {
  const { announce } = classOf({ extensions: { [UI]: { mimeTypes: [HTML] }, [TASKS]: { any: 1 } } });
  expect(announce.modern).toEqual({ extensions: { [UI]: { mimeTypes: [HTML] }, [TASKS]: {} } });
  expect(announce.legacy).toEqual({ extensions: { [UI]: { mimeTypes: [HTML] } } });
});

test("2.1 roots are announced only to servers that share the machine and the user with the client", () => {
  const capabilities = { roots: { listChanged: true } };
  const far = capabilityClass({ capabilities }, { roots: false }).announce;
  expect([far.legacy, far.modern]).toEqual([{}, { extensions: { [TASKS]: {} } }]);
  expect(capabilityClass({ capabilities }, { roots: true }).announce.modern).toMatchObject({ roots: {} });
});

test("2.2 clients with different capabilities have different classes, and sampling.context is never announced", () => {
  const ids = [{}, { elicitation: {} }, { sampling: {} }, { sampling: { tools: {} } }, { roots: {} }].map(
    (capabilities) => classOf(capabilities).id,
  );
  expect(new Set(ids).size).toBe(ids.length);
  const { announce } = classOf({ sampling: { context: {}, tools: {} } });
  expect(announce.legacy).toEqual({ sampling: { tools: {} } });
});
