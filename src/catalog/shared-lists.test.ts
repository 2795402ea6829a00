import { expect, test } from "vitest";
import { createFakeConnection } from "../../test/support/fake-connection.ts";
import type { JsonObject } from "../model/index.ts";
import { fromCached, toCachedTexts } from "./cached-catalog.ts";
import { type Catalog, readCatalog } from "./catalog.ts";
import { sameItems } from "./compare-items.ts";
import { maskCatalog } from "./mask-catalog.ts";
import { createSharedLists } from "./shared-lists.ts";
import { wireOf } from "./wire-definitions.ts";

const TOOL: JsonObject = {
  name: "draw",
  icons: [{ src: "data:image/png;base64,AA==" }],
  inputSchema: { type: "object", properties: { a: { type: "string" } } },
  execution: { taskSupport: "optional" },
  annotations: { readOnlyHint: true, custom: 1 },
  _meta: { "x/y": { z: 1 } },
};
const RESOURCE: JsonObject = { uri: "a://b", name: "b", size: 3, annotations: { priority: 1 } };

function read(tool: JsonObject = TOOL, verbatim = true): Promise<Catalog> {
  const connection = createFakeConnection(
    (method) =>
      method === "tools/list"
        ? { tools: [tool] }
        : { resources: [RESOURCE], resourceTemplates: [], prompts: [{ name: "p", icons: [] }] },
    ["tools", "resources", "prompts"],
  );
  return readCatalog(connection, {
    kinds: ["tools", "resources", "prompts"],
    timeoutMs: 1_000,
    now: () => 0,
    elapsed: () => 0,
    before: undefined,
    verbatim,
  });
}

const wires = (list: readonly object[]): unknown[] => list.map(wireOf);

test("a verbatim catalog keeps definitions as they were sent, beside the parsed ones", async () => {
  const catalog = await read();
  expect(wires(catalog.tools)).toEqual([TOOL]);
  expect(wires(catalog.resources)).toEqual([RESOURCE]);
  expect(wires(catalog.prompts)).toEqual([{ name: "p", icons: [] }]);
  expect(catalog.tools).toEqual((await read(TOOL, false)).tools);
});

test("other catalogs keep only parsed definitions", async () => {
  expect(wires((await read(TOOL, false)).tools)).toEqual([undefined]);
});

test("definitions as they were sent survive the cache", async () => {
  const texts = await toCachedTexts(await read());
  const content = JSON.parse(texts?.content ?? "") as JsonObject;
  const tools = JSON.parse(texts?.tools ?? "") as JsonObject[];
  const restored = await fromCached({ content, tools, toolsSum: "" });
  expect(wires(restored.tools)).toEqual([TOOL]);
  expect(wires(restored.resources)).toEqual([RESOURCE]);
});

test("a change that only the server's own fields show is a change", async () => {
  const [before, after] = [await read(), await read({ ...TOOL, icons: [] })];
  expect(after.tools).toEqual(before.tools);
  expect(await sameItems(before.tools, after.tools)).toBe(false);
  expect(await sameItems(before.tools, (await read()).tools)).toBe(true);
});

test("secrets are masked in definitions as they were sent", async () => {
  const catalog = await read({ ...TOOL, _meta: { token: "hunter2-hunter2" } });
  const masked = await maskCatalog(catalog, (text) => text.replaceAll("hunter2-hunter2", "***"));
  expect(wires(masked.tools)).toEqual([{ ...TOOL, _meta: { token: "***" } }]);
});

test("equal lists are held once, different ones apart", async () => {
  const lists = createSharedLists();
  const first = await lists.share(await read());
  const second = await lists.share(await read());
  const other = await lists.share(await read({ ...TOOL, icons: [] }));
  expect(second.tools).toBe(first.tools);
  expect(second.resources).toBe(first.resources);
  expect(other.tools).not.toBe(first.tools);
});
