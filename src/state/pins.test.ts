import { expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import { createMemoryFiles } from "../testing/index.ts";
import type { OwnPaths } from "./own-paths.ts";
import { createFilePins, pinsOf } from "./pins.ts";
import { sha256 } from "./sha256.ts";

const PLACES: OwnPaths = { userConfig: "/c", settings: "/s", state: "/state", cache: "/cache" };
const FILE = "/state/pins/abc.jsonl";
const LIST = '[{"name":"read","description":"Reads."},{"name":"__proto__"}]';
const pinsIn = (text: string) =>
  pinsOf(createFilePins(createFakePorts(createMemoryFiles(new Map([[FILE, text]]))), PLACES));

test("pins are read back, with the hash of their list", async () => {
  const files = pinsOf(createFilePins(createFakePorts(), PLACES));
  expect(await files.read("abc")).toBeUndefined();
  await files.write("abc", { takenAt: "today", list: LIST }, "first");
  await files.write("abc", { takenAt: "later", list: "[]" }, "first"); // the first one wins
  const saved = await files.read("abc");
  expect(saved).toMatchObject({ takenAt: "today", sum: sha256(LIST) });
  expect([...((await saved?.tools()) ?? [])]).toEqual([
    ["read", { name: "read", description: "Reads." }],
    ["__proto__", { name: "__proto__" }],
  ]);
  await files.write("abc", { takenAt: "later", list: "[]" }, "replace");
  expect((await files.read("abc"))?.takenAt).toBe("later");
});

test.each([
  ["an empty object", "{}"],
  ["invalid JSON", "{"],
  ["a later version", '{"version":3,"takenAt":"then","sum":""}\n[]\n'],
  ["another version", '{"version":1,"takenAt":"then","tools":[]}'],
])("a file with %s cannot be read", async (_, text) => {
  await expect(pinsIn(text).read("abc")).rejects.toThrow(`${FILE} cannot be read (`);
});

test.each(["", "{}", "[{", "[5]", '[{"title":"no name"}]'])(
  "a list that is %j is rejected when it is parsed",
  async (list) => {
    const saved = await pinsIn(`{"version":2,"takenAt":"then","sum":"x"}\n${list}`).read("abc");
    await expect(saved?.tools()).rejects.toThrow(`${FILE} cannot be read (`);
  },
);
