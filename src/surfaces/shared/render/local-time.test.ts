import { afterEach, expect, test, vi } from "vitest";
import { localTime } from "./local-time.ts";

afterEach(() => vi.unstubAllEnvs());

test.each([
  ["UTC", "2026-11-15 23:30:05"],
  ["Asia/Tokyo", "2026-11-16 08:30:05"],
  ["America/New_York", "2026-11-15 18:30:05"],
])("a time is shown in the user's time zone: %s", (zone, shown) => {
  vi.stubEnv("TZ", zone);
  expect(localTime("2026-11-15T23:30:05.000Z")).toBe(shown);
});
