import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import type { Files } from "../platform/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { createCatalogCache } from "./catalog-cache.ts";
import type { Places } from "./places.ts";

const PLACES: Places = { userConfig: "/c", settings: "/s", state: "/state", cache: "/cache" };
const FILE = "/cache/catalogs/abc.json";

describe("a cached catalog", () => {
  test("is read back with the time it was saved", async () => {
    const cache = createCatalogCache(createFakePorts(), PLACES);
    await cache.write("abc", { tools: [{ name: "read" }] });
    expect([await cache.read("abc"), await cache.read("other")]).toEqual([
      { savedAt: 0, content: { tools: [{ name: "read" }] } },
      undefined,
    ]);
  });

  test.each([
    ["half written", '{"version":1,"savedAt":1,"content":{', ["warn catalog.cache.unreadable"]],
    ["no object", "[]", []],
    ["of another version", '{"version":2,"savedAt":1,"content":{}}', []],
    ["without content", '{"version":1,"savedAt":1}', []],
    ["of an unknown age", '{"version":1,"content":{}}', []],
    ["of an age that is no number", '{"version":1,"savedAt":"yesterday","content":{}}', []],
  ])("that is %s is none", async (_, text, logged) => {
    const ports = createFakePorts(createMemoryFiles(new Map([[FILE, text]])));
    const read = await createCatalogCache(ports, PLACES).read("abc");
    expect({ read, logged: ports.logged }).toEqual({ read: undefined, logged });
  });

  test("that cannot be read or written is a line in the log and nothing more", async () => {
    const refuse = (): Promise<never> =>
      Promise.reject(Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" }));
    const files: Files = { ...createMemoryFiles(), read: refuse, create: refuse };
    const ports = createFakePorts(files);
    const cache = createCatalogCache(ports, PLACES);
    const read = await cache.read("abc");
    await cache.write("abc", {});
    expect({ read, logged: ports.logged }).toEqual({
      read: undefined,
      logged: ["warn catalog.cache.unreadable", "warn catalog.cache.unwritable"],
    });
  });
});
