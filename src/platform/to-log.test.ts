import { expect, test } from "vitest";
import type { LevelLogger, Log } from "./index.ts";
import { toLog } from "./to-log.ts";

test("a logger with `log` is used as it is", () => {
  const log: Log & LevelLogger = { log() {}, debug() {}, info() {}, warn() {}, error() {} };
  expect(toLog(log)).toBe(log);
});

test("a logger with a method per level receives the details first", () => {
  const calls: unknown[] = [];
  const logger = Object.fromEntries(
    ["debug", "info", "warn", "error"].map((level) => [
      level,
      (fields: unknown, event: unknown) => calls.push([level, fields, event]),
    ]),
  ) as unknown as LevelLogger;
  const log = toLog(logger);
  log?.log("warn", "event", { server: "x" });
  log?.log("debug", "other");
  expect(calls).toEqual([
    ["warn", { server: "x" }, "event"],
    ["debug", {}, "other"],
  ]);
});

test.each([{}, { log: 1 }, { info() {} }])("%o is not a logger", (value) => {
  expect(toLog(value as unknown as Log)).toBeUndefined();
});
