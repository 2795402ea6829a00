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
