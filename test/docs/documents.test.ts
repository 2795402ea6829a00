import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const documents = [
  ...readdirSync(".").filter((file) => file.endsWith(".md")),
  ...readdirSync("docs")
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file)),
  join("src", "README.md"),
  join("test", "seeds", "README.md"),
];

describe.each(documents)("%s", (document) => {
  const text = readFileSync(document, "utf8");

  test("shows code only as it stands in the file that the tests run", () => {
    for (const [, file = "", code = ""] of text.matchAll(
      /<!-- (examples\/\S+) -->\n```\w+\n([\s\S]*?)```/g,
    )) {
      expect(code).toBe(readFileSync(file, "utf8"));
    }
  });

  test("links to files that exist", () => {
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)].map(([, target = ""]) => target);
    expect(targets.filter((target) => !existsSync(join(dirname(document), target)))).toEqual([]);
  });

  test("names paths that exist", () => {
    const named = [...text.matchAll(/`((?:src|test|docs|examples|scripts|bench)\/[\w./-]+)`/g)].map(
      ([, path = ""]) => path,
    );
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});

test("every example stands in a document", () => {
  const all = documents.map((document) => readFileSync(document, "utf8")).join("\n");
  const missing = readdirSync("examples").filter((file) => !all.includes(`<!-- examples/${file} -->`));
  expect(missing).toEqual([]);
});

test.each(["README.md", "docs/adapters.md"])("%s shows how each adapter is used", (document) => {
  const shown = [...readFileSync(document, "utf8").matchAll(/<!-- examples\/(\S+) -->/g)].map(
    ([, file]) => file,
  );
  const adapters = [
    "ai-sdk",
    "openai-responses",
    "openai-chat",
    "openai-agents",
    "anthropic-runner",
    "langchain",
  ];
  expect(shown).toEqual(expect.arrayContaining(adapters.map((name) => `${name}.mjs`)));
});
