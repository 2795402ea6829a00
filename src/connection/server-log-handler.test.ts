import { expect, test } from "vitest";
import { type JsonValue, Redactor } from "../model/index.ts";
import { createManualClock } from "../testing/index.ts";
import { ServerLogHandler, type ServerLogLine } from "./server-log-handler.ts";

function heard(data: JsonValue): readonly ServerLogLine[] {
  const lines: ServerLogLine[] = [];
  const logs = new ServerLogHandler({
    clock: createManualClock(),
    redactor: new Redactor(),
    wanted: undefined,
    onLine: (line) => lines.push(line),
  });
  logs.hear({ level: "info", data });
  return lines;
}

const nested = (depth: number): JsonValue =>
  JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as JsonValue;

test("JSON log data is written as JSON", () => {
  expect(heard({ a: [1, "x"] })).toEqual([{ level: "info", message: '{"a":[1,"x"]}' }]);
});

test.each([
  ["nested 20,000 deep", nested(20_000)],
  ["with a million members", Array.from({ length: 1_000_000 }, () => 0)],
])("data %s is not serialized", (_, data) => {
  expect(heard(data)).toEqual([{ level: "info", message: "[data that is too large to show]" }]);
});

test("data nested 20,000 deep inside an object is not serialized", () => {
  expect(heard({ a: nested(20_000) })).toEqual([
    { level: "info", message: "[data that is too large to show]" },
  ]);
});
