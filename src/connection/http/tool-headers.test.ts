import { expect, test } from "vitest";
import { countedList } from "../../../test/support/counted-list.ts";
import type { JsonObject, JsonValue } from "../../model/index.ts";
import { ToolHeaders } from "./tool-headers.ts";

test("a schema that is too large is not searched for headers", async () => {
  const { list, visits } = countedList(1_000_000);
  const inputSchema: JsonObject = { type: "object", anyOf: list as JsonValue[] };
  const { tools } = await new ToolHeaders().learn({ tools: [{ name: "a", inputSchema }] });
  expect(tools).toHaveLength(1);
  expect(visits()).toBeLessThan(100_000);
});
