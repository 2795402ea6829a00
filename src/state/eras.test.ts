import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFakePorts, type FakePorts } from "../../test/support/fake-ports.ts";
import { nodePorts } from "../platform/node/index.ts";
import { createManualClock, createMemoryFiles } from "../testing/index.ts";
import { createDeferredWrites } from "./deferred-writes.ts";
import { createEras as createErasWith, type Eras } from "./eras.ts";

const places = { userConfig: "/h/mcp.json", settings: "/h/settings.json", state: "/state", cache: "/cache" };
const file = join(places.state, "eras.json");
const DAY = 24 * 60 * 60 * 1_000;

function createEras(ports: FakePorts, at: typeof places): Eras & { saved(): Promise<void> } {
  const later = createDeferredWrites(ports);
  return { ...createErasWith(ports, at, later), saved: later.done };
}

async function textOf({ files }: FakePorts): Promise<string> {
  return new TextDecoder().decode(await files.read(file));
}

test("an era is saved for the next run", async () => {
  const ports = createFakePorts();
  const eras = createEras(ports, places);
  expect(await eras.recall("a")).toBeUndefined();
  eras.remember("a", "legacy");
  eras.remember("b", "modern");
  await eras.saved();
  expect(await eras.recall("a")).toBe("legacy");
  const again = createEras(ports, places);
  expect([await again.recall("a"), await again.recall("b"), await again.recall("c")]).toEqual([
    "legacy",
    "modern",
    undefined,
  ]);
});

test("an era that was detected long ago, or in the future, is ignored", async () => {
  const clock = createManualClock();
  const ports = { ...createFakePorts(), clock };
  const text = JSON.stringify({
    version: 1,
    eras: {
      old: { era: "legacy", seenAt: clock.now() - 7 * DAY },
      young: { era: "legacy", seenAt: clock.now() - 6 * DAY },
      future: { era: "legacy", seenAt: clock.now() + DAY },
    },
  });
  await ports.files.create(file, text, 0o600);
  const eras = createEras(ports, places);
  expect([await eras.recall("old"), await eras.recall("young"), await eras.recall("future")]).toEqual([
    undefined,
    "legacy",
    undefined,
  ]);
});

test("a fresh entry is not written again", async () => {
  let writes = 0;
  const files = createMemoryFiles();
  const ports = createFakePorts({
    ...files,
    async replace(path, content, mode) {
      writes += 1;
      await files.replace(path, content, mode);
    },
  });
  const eras = createEras(ports, places);
  eras.remember("a", "legacy");
  await eras.saved();
  eras.remember("a", "legacy");
  await eras.saved();
  expect(writes).toBe(1);
  eras.remember("a", "modern");
  await eras.saved();
  expect(writes).toBe(2);
});

test.each([
  ["garbage", "\u0000{"],
  ["a list", "[]"],
  ["another version", '{"version":2,"eras":{"a":{"era":"legacy","seenAt":0}}}'],
  ["wrong entries", '{"version":1,"eras":{"a":{"era":"stone age","seenAt":0},"b":7,"c":{"era":"legacy"}}}'],
])("%s in the file is ignored and overwritten", async (_, text) => {
  const ports = createFakePorts();
  await ports.files.create(file, text, 0o600);
  const eras = createEras(ports, places);
  expect(await eras.recall("a")).toBeUndefined();
  eras.remember("a", "modern");
  await eras.saved();
  expect(JSON.parse(await textOf(ports))).toMatchObject({ version: 1, eras: { a: { era: "modern" } } });
});

test("bytes that are not text are ignored and overwritten", async () => {
  const folder = await mkdtemp(join(tmpdir(), "eras-"));
  try {
    await writeFile(join(folder, "eras.json"), Buffer.from([0xff, 0xfe, 0x7b]));
    const ports = { ...createFakePorts(), files: nodePorts().files };
    const eras = createEras(ports, { ...places, state: folder });
    eras.remember("a", "modern");
    await eras.saved();
    expect(await createEras(ports, { ...places, state: folder }).recall("a")).toBe("modern");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the file keeps only the newest entries", async () => {
  const ports = createFakePorts();
  const eras = createEras(ports, places);
  for (let launch = 0; launch < 5_010; launch += 1) eras.remember(`launch ${launch}`, "legacy");
  await eras.saved();
  const kept = Object.keys(JSON.parse(await textOf(ports)).eras);
  expect(kept).toHaveLength(5_000);
  expect(kept.at(-1)).toBe("launch 5009");
  expect(kept[0]).toBe("launch 10");
});

test("if the disk cannot be written, eras are only kept in memory", async () => {
  const files = createMemoryFiles();
  const ports = createFakePorts({ ...files, replace: () => Promise.reject(new Error("disk full")) });
  const eras = createEras(ports, places);
  eras.remember("a", "legacy");
  await eras.saved();
  expect(await eras.recall("a")).toBe("legacy");
  expect(ports.logged).toEqual(["warn state.unwritable"]);
});
