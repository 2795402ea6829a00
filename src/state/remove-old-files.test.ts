import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nodePorts } from "../platform/node/index.ts";
import { catalogsOf, createFileCatalogs } from "./catalog-cache.ts";
import { createDeferredWrites } from "./deferred-writes.ts";
import type { OwnPaths } from "./own-paths.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const nameOf = (number: number): string => `${number.toString(16).padStart(64, "0")}.jsonl`;
const KEY = { fingerprint: "f".repeat(64), account: "" };
const OWN = `${KEY.fingerprint}.jsonl`;
const MARKER = "swept";

let root: string;
let places: OwnPaths;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "old-files-"));
  places = { userConfig: join(root, "c"), settings: join(root, "s"), state: root, cache: root };
  await mkdir(join(root, "catalogs"));
});
afterEach(() => rm(root, { recursive: true }));

async function put(path: string, daysOld: number): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), "");
  const at = new Date(Date.now() - daysOld * DAY_MS);
  await utimes(join(root, path), at, at);
}

/** Writes the lists of one server, as a run does, and returns the files that exist afterwards. */
async function leftByRun(): Promise<string[]> {
  const ports = nodePorts();
  const later = createDeferredWrites(ports);
  const cache = catalogsOf(createFileCatalogs(ports, places, later), ports.log);
  later.put("lists", () => cache.write(KEY, "{}", "[]"));
  await later.done();
  return (await readdir(join(root, "catalogs"))).sort();
}

test("lists that were not written for three months are removed", async () => {
  await put(`catalogs/${nameOf(1)}`, 91);
  await put(`catalogs/${nameOf(2).replace(".", "-0123456789abcdef.")}`, 91);
  await put(`catalogs/${nameOf(3)}`, 89);
  expect(await leftByRun()).toEqual([nameOf(3), OWN]);
});

test("the oldest of too many lists are removed", async () => {
  for (let number = 1; number <= 2_010; number += 1) await put(`catalogs/${nameOf(number)}`, number / 100);
  const left = await leftByRun();
  expect([left.length, left[0], left.at(-2), left.at(-1)]).toEqual([2_000, nameOf(1), nameOf(1_999), OWN]);
});

test("an unfinished file is removed after a day, but not a file that is being written", async () => {
  await put(`catalogs/${nameOf(1)}.0123456789abcdef.tmp`, 2);
  await put(`catalogs/${nameOf(2)}.0123456789abcdef.tmp`, 0);
  expect(await leftByRun()).toEqual([`${nameOf(2)}.0123456789abcdef.tmp`, OWN]);
});

test("logs older than three months are removed, but not those of a running server", async () => {
  const folder = `logs/${"a".repeat(32)}`;
  await put(`${folder}/0000000000001-7-1.newer.jsonl`, 91);
  await put(`${folder}/0000000000001-7-1.older.jsonl`, 91);
  await put(`${folder}/0000000000002-7-1.newer.jsonl`, 1);
  await put(`${folder}/notes.txt`, 400);
  await put("logs/mine/0000000000001-7-1.newer.jsonl", 400);
  await leftByRun();
  expect((await readdir(join(root, folder))).sort()).toEqual(["0000000000002-7-1.newer.jsonl", "notes.txt"]);
  expect(await readdir(join(root, "logs", "mine"))).toHaveLength(1);
});

test("other files are not removed", async () => {
  await put("catalogs/notes.txt", 400);
  await put("catalogs/abc.jsonl", 400);
  await put(`pins/${nameOf(1)}`, 400);
  expect(await leftByRun()).toEqual(["abc.jsonl", OWN, "notes.txt"].sort());
  expect(await readdir(join(root, "pins"))).toEqual([nameOf(1)]);
});

test.each([
  [6, [nameOf(1), OWN]],
  [8, [OWN]],
  [-1, [OWN]], // the clock was set back
])("%d days after the last removal, these files are left: %j", async (daysOld, left) => {
  await put(MARKER, daysOld);
  await put(`catalogs/${nameOf(1)}`, 91);
  expect(await leftByRun()).toEqual(left);
});

test("a run that only reads removes nothing", async () => {
  await put(`catalogs/${nameOf(1)}`, 91);
  const ports = nodePorts();
  const later = createDeferredWrites(ports);
  await catalogsOf(createFileCatalogs(ports, places, later), ports.log).read(KEY);
  await later.done();
  expect(await readdir(root)).toEqual(["catalogs"]);
});

test("an error of the disk is logged, and the lists are still written", async () => {
  await mkdir(join(root, MARKER));
  await put(`${MARKER}/in-the-way`, 400);
  await utimes(join(root, MARKER), 1, 1);
  const logged: unknown[] = [];
  const ports = { ...nodePorts(), log: { log: (...line: unknown[]) => void logged.push(line.slice(0, 2)) } };
  const later = createDeferredWrites(ports);
  const cache = catalogsOf(createFileCatalogs(ports, places, later), ports.log);
  later.put("lists", () => cache.write(KEY, "{}", "[]"));
  await later.done();
  expect([await readdir(join(root, "catalogs")), logged]).toEqual([[OWN], [["warn", "state.unwritable"]]]);
});
