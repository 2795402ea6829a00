import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import type { Files, Ports } from "../platform/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { type CatalogCache, catalogsOf, createFileCatalogs } from "./catalog-cache.ts";
import { createDeferredWrites } from "./deferred-writes.ts";
import type { OwnPaths } from "./own-paths.ts";
import { sha256 } from "./sha256.ts";

const PLACES: OwnPaths = { userConfig: "/c", settings: "/s", state: "/state", cache: "/cache" };
const KEY = { fingerprint: "abc", account: "" };
const FILE = "/cache/catalogs/abc.jsonl";
const cacheOf = (ports: Ports): CatalogCache =>
  catalogsOf(createFileCatalogs(ports, PLACES, createDeferredWrites(ports)), ports.log);

describe("a cached catalog", () => {
  test("is read back", async () => {
    const cache = cacheOf(createFakePorts());
    await cache.write(KEY, '{"prompts":[]}', '[{"name":"read"}]');
    expect([await cache.read(KEY), await cache.read({ ...KEY, fingerprint: "other" })]).toEqual([
      { content: { prompts: [] }, tools: [{ name: "read" }], toolsSum: sha256('[{"name":"read"}]') },
      undefined,
    ]);
  });

  test("with many prompts is parsed in several turns", async () => {
    const cache = cacheOf(createFakePorts());
    const prompts = JSON.stringify(Array.from({ length: 50_000 }, (_, at) => ({ name: `prompt-${at}` })));
    await cache.write(KEY, `{"prompts":${prompts}}`, "[]");
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const read = await cache.read(KEY);
    isOver = true;
    expect(read?.content["prompts"]).toHaveLength(50_000);
    expect(turns).toBeGreaterThan(3);
  });

  test("is separate for each account, and can be removed", async () => {
    const cache = cacheOf(createFakePorts());
    const [mine, theirs] = [
      { ...KEY, account: "../me@example.com" },
      { ...KEY, account: "you" },
    ];
    await cache.write(mine, '{"of":"me"}', "[]");
    await cache.write(theirs, '{"of":"you"}', "[]");
    await cache.remove(theirs);
    expect([await cache.read(mine), await cache.read(theirs), await cache.read(KEY)]).toMatchObject([
      { content: { of: "me" } },
      undefined,
      undefined,
    ]);
  });

  test.each([
    ["incomplete", '{"version":3,"content":{', ["warn catalog.cache.unreadable"]],
    ["incomplete in its list", '{"version":3,"content":{}}\n[{', ["warn catalog.cache.unreadable"]],
    ["not an object", "[]", []],
    ["of another version", '{"version":2,"content":{"tools":[]}}', []],
    ["without content", '{"version":3}\n[]\n', []],
    ["without a list", '{"version":3,"content":{}}\n{}\n', []],
  ])("that is %s is ignored", async (_, text, logged) => {
    const ports = createFakePorts(createMemoryFiles(new Map([[FILE, text]])));
    const read = await cacheOf(ports).read(KEY);
    expect({ read, logged: ports.logged }).toEqual({ read: undefined, logged });
  });

  test("is written without a lock and without syncing to disk", async () => {
    const contents = new Map([[`${FILE}.lock`, "1001 0123456789abcdef"]]);
    const refuse = (): Promise<never> => Promise.reject(new Error("this waits for the disk"));
    const ports = createFakePorts({ ...createMemoryFiles(contents), create: refuse, rename: refuse });
    await cacheOf(ports).write(KEY, "{}", "[]");
    expect({ text: contents.get(FILE), logged: ports.logged }).toEqual({
      text: '{"version":3,"content":{}}\n[]\n',
      logged: [],
    });
  });

  test("that was truncated anywhere is ignored", async () => {
    const contents = new Map<string, string>();
    const cache = cacheOf(createFakePorts(createMemoryFiles(contents)));
    await cache.write(KEY, '{"prompts":[]}', '[{"name":"read"},{"name":"write"}]');
    const whole = contents.get(FILE) ?? "";
    const readable: string[] = [];
    for (let length = 0; length <= whole.length; length += 1) {
      contents.set(FILE, whole.slice(0, length));
      if ((await cache.read(KEY)) !== undefined) readable.push(whole.slice(length));
    }
    expect(readable).toEqual(["\n", ""]);
  });

  test("that cannot be read or written is only logged", async () => {
    const refuse = (): Promise<never> =>
      Promise.reject(Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" }));
    const files: Files = { ...createMemoryFiles(), read: refuse, replace: refuse };
    const ports = createFakePorts(files);
    const cache = cacheOf(ports);
    const read = await cache.read(KEY);
    await cache.write(KEY, "{}", "[]");
    expect({ read, logged: ports.logged }).toEqual({
      read: undefined,
      logged: ["warn catalog.cache.unreadable", "warn catalog.cache.unwritable"],
    });
  });
});
