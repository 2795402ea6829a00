import { expect, test } from "vitest";
import type { AuditEntry } from "../../state/index.ts";
import { Histogram } from "./histogram.ts";
import { Metrics } from "./metrics.ts";

const MINUTE = 60_000;
const START = 1_800_000_000_000 - (1_800_000_000_000 % MINUTE);

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

test("requests are counted per minute and server, with their errors", () => {
  const metrics = new Metrics();
  metrics.add(entry(START));
  metrics.add(entry(START + MINUTE - 1, { outcome: "failed" }));
  metrics.add(entry(START + MINUTE, { outcome: "cancelled", server: "other" }));
  metrics.add(entry(START + MINUTE, { outcome: "tool_error" }));
  const { server: _, ...own } = entry(START + MINUTE, { method: "initialize" });
  metrics.add(own);
  metrics.addTokens(START, 100, 20);
  const [first, second, third] = metrics.steps(START, MINUTE, 3);
  expect(first).toMatchObject({ calls: 2, errors: 1, spent: 100, saved: 20 });
  expect(first?.servers.get("files")).toMatchObject({ calls: 2, errors: 1 });
  expect(second).toMatchObject({ calls: 3, errors: 1 });
  expect([...(second?.servers.keys() ?? [])]).toEqual(["other", "files"]);
  expect(third).toMatchObject({ calls: 0, errors: 0 });
  const [both] = metrics.steps(START, 2 * MINUTE, 1);
  expect(both).toMatchObject({ calls: 5, errors: 2 });
  expect(both?.servers.get("files")?.durations.count).toBe(3);
});

test("a day is kept, in any order of arrival, and servers beyond a number count only in the totals", () => {
  const metrics = new Metrics();
  metrics.add(entry(START));
  for (let minute = 1; minute <= 24 * 60; minute += 1) metrics.add(entry(START + minute * MINUTE));
  expect(metrics.steps(START, MINUTE, 2).map(({ calls }) => calls)).toEqual([0, 1]);
  for (let index = 0; index < 600; index += 1)
    metrics.add(entry(START + MINUTE, { server: `server-${index}` }));
  const [step] = metrics.steps(START + MINUTE, MINUTE, 1);
  expect(step?.calls).toBe(601);
  expect(step?.servers.size).toBe(500);
});

test("percentiles are at most 2.5 % off, and the size does not depend on the number of durations", () => {
  const durations = Array.from({ length: 10_000 }, (_, index) => 1.001 ** index);
  const histogram = new Histogram();
  for (const ms of durations) histogram.add(ms);
  const rest = new Histogram();
  rest.merge(histogram);
  for (const share of [0.01, 0.5, 0.95, 0.99, 1]) {
    const exact = durations[Math.ceil(share * durations.length) - 1] ?? 0;
    const found = rest.percentile(share) ?? 0;
    expect(Math.abs(found - exact) / exact).toBeLessThan(0.03);
  }
  expect(new Histogram().percentile(0.5)).toBeNull();
  for (const odd of [0, -5, 1e9]) histogram.add(odd);
  expect(histogram.count).toBe(10_003);
});
