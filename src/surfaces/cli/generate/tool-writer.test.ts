import { expect, test } from "vitest";
import type { AgentTool } from "../../../index.ts";
import { ToolTypeWriter } from "./tool-writer.ts";

test.each([
  ["large types", 100],
  ["types that are too large to use", 300],
])("stops after too many small schemas that become %s", (_, properties) => {
  const choices = Array.from({ length: 12 }, (_unused, index) => `${"x".repeat(190)}${index}`);
  const reference = { $ref: "#/$defs/choice" };
  const inputSchema = {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: properties }, (_unused, at) => [`p${at}`, reference]),
    ),
    $defs: { choice: { enum: choices } },
  };
  const writer = new ToolTypeWriter();
  const writeAll = (): void => {
    for (let count = 0; count < 200; count += 1) writer.write({ inputSchema } as unknown as AgentTool);
  };
  expect(writeAll).toThrow("The tool definitions are too large.");
});
