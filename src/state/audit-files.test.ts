import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nodePorts } from "../platform/node/index.ts";
import { type AuditEntry, createAuditFiles } from "./audit-files.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "audit-"));
});
afterEach(() => rm(folder, { recursive: true }));

const entry = (number: number): AuditEntry => ({
  id: String(number).padStart(8, "0"),
  at: number,
  client: {},
  session: "s",
  endpoint: "/mcp",
  method: "tools/call",
  server: number % 2 === 0 ? "even" : "odd",
  clientEra: "modern",
  outcome: "ok",
  durationMs: 1,
  bytesOut: 1,
});

const places = () => ({ state: folder, cache: folder, userConfig: "", settings: "" });

test("full audit files are replaced by new ones, and the oldest are removed", async () => {
  const limits = { segmentBytes: 400, totalBytes: 1_200, keptMs: 1e12 };
  const audit = createAuditFiles(nodePorts(), places(), limits);
  for (let number = 1; number <= 20; number += 1) {
    audit.add(entry(number));
    await audit.saved();
  }
  expect((await readdir(join(folder, "audit"))).length).toBeLessThanOrEqual(3);
  const kept = await audit.read();
  expect(kept.at(-1)?.at).toBe(20);
  expect(kept.length).toBeLessThan(20);
  expect(kept.map(({ at }) => at)).toEqual(kept.map(({ at }) => at).sort((one, other) => one - other));
});

test("audit files that are too old are removed", async () => {
  const limits = { segmentBytes: 1e6, totalBytes: 1e9, keptMs: 60_000 };
  const old = createAuditFiles(nodePorts(), places(), limits);
  old.add(entry(1));
  await old.saved();
  const [name = ""] = await readdir(join(folder, "audit"));
  await utimes(join(folder, "audit", name), 0, 0);
  const audit = createAuditFiles(nodePorts(), places(), limits);
  audit.add(entry(2));
  await audit.saved();
  expect((await audit.read()).map(({ at }) => at)).toEqual([2]);
});

test("the last matching entries are returned", async () => {
  const audit = createAuditFiles(nodePorts(), places());
  for (let number = 1; number <= 10; number += 1) audit.add(entry(number));
  await audit.saved();
  expect((await audit.read({ server: "even", limit: 2 })).map(({ at }) => at)).toEqual([8, 10]);
  expect((await audit.read({ since: 9 })).map(({ at }) => at)).toEqual([9, 10]);
  expect((await audit.read({ after: "00000008" })).map(({ at }) => at)).toEqual([9, 10]);
  expect(await audit.read({ outcome: "failed" })).toEqual([]);
});

/** Files are named after the time of their first entry, so entries have real times. */
const START = Date.now();

/** An entry with an id as the gateway creates them, which starts with the time. */
const requestAt = (ms: number, more: Partial<AuditEntry> = {}): AuditEntry => {
  const at = START + ms;
  const time = at.toString(16).padStart(12, "0");
  return { ...entry(at), id: `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`, ...more };
};

test("entries are read in pages, from the newest to the oldest, across files", async () => {
  const limits = { segmentBytes: 2_000, totalBytes: 1e9, keptMs: 1e12 };
  const audit = createAuditFiles(nodePorts(), places(), limits);
  const late = requestAt(5); // it ended last, because it took long
  for (const at of [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]) {
    audit.add(requestAt(at));
    await audit.saved();
  }
  audit.add(late);
  await audit.saved();
  expect((await readdir(join(folder, "audit"))).length).toBeGreaterThan(1);
  const pages: number[][] = [];
  for (let before: string | undefined; pages.length < 5; ) {
    const page = await audit.read({ before, limit: 4 });
    pages.push(page.map(({ at }) => at - START));
    before = page[0]?.id;
  }
  expect(pages).toEqual([[12, 13, 14, 15], [8, 9, 10, 11], [4, 5, 6, 7], [1, 2, 3], []]);
});

test("entries are filtered by time, outcomes, method, conversation and a part of the name", async () => {
  const audit = createAuditFiles(nodePorts(), places());
  audit.add(requestAt(1, { item: "Read_File", outcome: "failed" }));
  audit.add(requestAt(2, { item: "write", outcome: "refused", session: "other" }));
  audit.add(requestAt(3, { method: "tools/list", client: { name: '"item":"write","session":"other"' } }));
  await audit.saved();
  const timesOf = async (filter: Parameters<typeof audit.read>[0]) =>
    (await audit.read(filter)).map(({ at }) => at - START);
  expect(await timesOf({ since: START + 2, until: START + 2 })).toEqual([2]);
  expect(await timesOf({ outcome: ["failed", "refused"] })).toEqual([1, 2]);
  expect(await timesOf({ outcome: "ok" })).toEqual([3]);
  expect(await timesOf({ method: "tools/list" })).toEqual([3]);
  expect(await timesOf({ session: "other" })).toEqual([2]);
  expect(await timesOf({ itemPart: "read_" })).toEqual([1]);
  expect(await timesOf({ item: "read_" })).toEqual([]);
});
