import { expect, test } from "vitest";
import type { DocumentFormat } from "./document.ts";
import { parseText } from "./parse-document.ts";

test.each<[string, DocumentFormat, string]>([
  ["JSON", "json", '{ "a": { "b": [1] } } // one'],
  ["TOML", "toml", "[a]\nb = [1] # one"],
  ["plain YAML", "yaml", "a:\n  b: [1] # one"],
  ["YAML with anchors", "yaml", "a: &a\n  b: [1]\nc: *a\n"],
])("%s is parsed by its format", async (_, format, text) => {
  const { value, problems, at } = await parseText(text, format);
  expect(JSON.parse(JSON.stringify(value))).toMatchObject({ a: { b: [1] } });
  expect(problems).toEqual([]);
  expect(at(["a", "b"])).toBeDefined();
});

test.each<[DocumentFormat]>([["json"], ["toml"], ["yaml"]])(
  "a text that is not %s is one problem without positions",
  async (format) => {
    const { value, problems, at } = await parseText("[", format);
    expect(value).toBeUndefined();
    expect(problems).toMatchObject([{ code: "file-syntax", severity: "error" }]);
    expect(at([])).toBeUndefined();
  },
);
