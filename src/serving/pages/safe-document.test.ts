import { expect, test } from "vitest";
import { Redactor } from "../../model/index.ts";
import { isShownWhole, safeDocument } from "./safe-document.ts";

const redactor = new Redactor();
redactor.add("hunter2-secret");

test("secrets are masked in texts and in foreign names, but not in server and tool names", () => {
  const document = {
    server: "hunter2-secret",
    because: "it is hunter2-secret.",
    launch: { name: "hunter2-secret", env: { "hunter2-secret": "a hunter2-secret b" } },
    list: ["hunter2-secret", 5, true, null],
  };
  expect(safeDocument(document, redactor)).toEqual({
    server: "hunter2-secret",
    because: "it is [secret].",
    launch: { name: "[secret]", env: { "[secret]": "a [secret] b" } },
    list: ["[secret]", 5, true, null],
  });
});

test("a secret that was cut in two is masked, too", () => {
  const { because } = safeDocument({ because: `${"a ".repeat(3_994)}hunter2-secret` }, redactor) as {
    because: string;
  };
  expect(because.length).toBeLessThanOrEqual(8_000);
  expect(because).not.toContain("hunter2");
});

test("long texts, deep values, long lists and large documents are cut", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(200)}1${"}".repeat(200)}`) as object;
  const {
    text,
    description,
    list,
    deep: cut,
  } = safeDocument(
    {
      text: "a".repeat(200_000),
      description: "b".repeat(200_000),
      list: Array.from({ length: 9_999 }),
      deep,
    },
    redactor,
  ) as Record<string, unknown>;
  expect(text).toHaveLength(100_000);
  expect(description).toHaveLength(8_000);
  expect(list).toHaveLength(5_000);
  expect(JSON.stringify(cut)).toContain("[nested too deeply]");
  const huge = { rows: Array.from({ length: 5_000 }, (_, id) => ({ id, because: "c".repeat(8_000) })) };
  expect(JSON.stringify(safeDocument(huge, redactor)).length).toBeLessThan(6 * 1024 * 1024);
});

test("unusual names stay unchanged", () => {
  const odd = JSON.parse('{"__proto__":{"a":1},"constructor":2,"toString":3}') as object;
  const copy = safeDocument({ structured: odd }, redactor);
  expect(JSON.stringify(copy)).toBe(`{"structured":${JSON.stringify(odd)}}`);
  expect(({} as Record<string, unknown>)["a"]).toBeUndefined();
});

test("a part is shown completely only if none of it is truncated", () => {
  expect(isShownWhole({ launch: { args: ["hunter2-secret"], optional: undefined } })).toBe(true);
  expect(isShownWhole({ launch: { args: ["a".repeat(8_001)] } })).toBe(false);
  expect(isShownWhole({ launch: Array.from({ length: 5_001 }, () => 0) })).toBe(false);
  expect(isShownWhole({ launch: Array.from({ length: 100 }, () => "a".repeat(7_000)) })).toBe(false);
});

test("if there are very many short values, only as many are shown as can be masked quickly", () => {
  const structured = Array.from({ length: 90 }, () => Array.from({ length: 5_000 }, () => "hunter2…"));
  const shown = safeDocument({ structured }, redactor) as { structured: string[][] };
  const texts = shown.structured.flat();
  expect(texts.filter((text) => text === "[secret]…").length).toBeLessThan(100_000);
  expect(texts.at(-1)).toContain("too large to show");
});
