import { expect, test } from "vitest";
import type { AuditEntry } from "../../state/index.ts";
import { Histogram } from "./histogram.ts";
import { Metrics } from "./metrics.ts";

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const START = 1_800_000_000_000 - (1_800_000_000_000 % QUARTER);

const entry = (at: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id: String(at),
  at,
  client: {},
  session: "s",
  endpoint: "/mcp",
  method: "tools/call",
  server: "files",
  clientEra: "modern",
  outcome: "ok",
  durationMs: 10,
  bytesOut: 1,
  ...more,
});

test("requests are counted per step and server, with their errors", () => {
  const metrics = new Metrics();
  metrics.add(entry(START));
  metrics.add(entry(START + MINUTE - 1, { outcome: "failed" }));
  metrics.add(entry(START + MINUTE, { outcome: "cancelled", server: "other" }));
  metrics.add(entry(START + MINUTE, { outcome: "tool_error" }));
  const { server: _, ...own } = entry(START + MINUTE, { method: "initialize" });
  metrics.add(own);
  metrics.addTokens(START, 100, 20);
  const now = START + MINUTE;
  const [first, second] = metrics.hour.steps(now).slice(-2);
  expect(metrics.hour.from(now)).toBe(START - 58 * MINUTE);
  expect(metrics.hour.steps(now)).toHaveLength(60);
  expect(first).toMatchObject({ calls: 2, errors: 1, spent: 100, saved: 20 });
  expect(first?.servers.get("files")).toMatchObject({ calls: 2, errors: 1 });
  expect(second).toMatchObject({ calls: 3, errors: 1 });
  expect([...(second?.servers.keys() ?? [])]).toEqual(["other", "files"]);
  const quarter = metrics.day.steps(now).at(-1);
  expect(metrics.day.from(now)).toBe(START - 95 * QUARTER);
  expect(quarter).toMatchObject({ calls: 5, errors: 2, spent: 100 });
  expect(quarter?.servers.get("files")?.durations.count).toBe(3);
});

test("old steps are dropped, even if requests arrive in another order", () => {
  const metrics = new Metrics();
  metrics.add(entry(START + 60 * MINUTE));
  metrics.add(entry(START));
  metrics.add(entry(START + MINUTE));
  const counts = metrics.hour.steps(START + 60 * MINUTE).map(({ calls }) => calls);
  expect([counts[0], counts.at(-1), counts.length]).toEqual([1, 1, 60]);
  expect(metrics.hour.steps(START).at(-1)?.calls).toBe(0);
  expect(metrics.day.steps(START + 60 * MINUTE).reduce((sum, { calls }) => sum + calls, 0)).toBe(3);
});

test("servers beyond the limit count only in the totals", () => {
  const metrics = new Metrics();
  for (let index = 0; index < 300; index += 1) metrics.add(entry(START, { server: `server-${index}` }));
  const step = metrics.hour.steps(START).at(-1);
  expect([step?.calls, step?.servers.size]).toEqual([300, 200]);
});

test("percentiles are at most 2.5 % off, and the size does not depend on the number of durations", () => {
  const durations = Array.from({ length: 10_000 }, (_, index) => 1.001 ** index);
  const histogram = new Histogram();
  for (const ms of durations) histogram.add(ms);
  const merged = new Histogram();
  merged.merge(histogram);
  for (const share of [0.01, 0.5, 0.95, 0.99, 1]) {
    const exact = durations[Math.ceil(share * durations.length) - 1] ?? 0;
    const found = merged.percentile(share) ?? 0;
    expect(Math.abs(found - exact) / exact).toBeLessThan(0.03);
  }
  expect(new Histogram().percentile(0.5)).toBeNull();
  for (const odd of [0, -5, 1e9]) histogram.add(odd);
  expect(histogram.count).toBe(10_003);
});
