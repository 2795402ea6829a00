import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { anchorsOf, codeSpans, documents, linksOf, prose, textOf } from "./markdown.ts";

describe.each(documents)("%s", (document) => {
  const text = textOf(document);

  test("links to files and headings that exist", () => {
    const broken = linksOf(text).filter(({ path, anchor }) => {
      const target = path === "" ? document : join(dirname(document), path);
      if (!existsSync(target)) return true;
      return anchor !== "" && !anchorsOf(textOf(target)).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  test("names paths that exist", () => {
    const named = codeSpans(text).filter((code) =>
      /^(?:src|test|docs|examples|scripts|bench|schemas|conformance)\/[\w./-]+$/.test(code),
    );
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  test("has no unescaped placeholders that look like tags", () => {
    const plain = prose(text).replace(/`[^`\n]+(?:\n[^`\n]+)?`|<!--[\s\S]*?-->/g, "");
    expect(plain.match(/<(?!\/?(?:details|summary|br|sub|p|img|a|kbd)\b)[^>\n]+>/g)).toBeNull();
  });
});

test("every document is linked from the README, directly or indirectly", () => {
  const reached = new Set(["README.md"]);
  for (const document of reached)
    for (const { path } of linksOf(textOf(document)))
      if (path.endsWith(".md")) reached.add(relative(".", join(dirname(document), path)));
  const forReaders = documents.filter((document) => !document.includes("/") || document.startsWith("docs/"));
  expect(forReaders.filter((document) => !reached.has(document))).toEqual(["AGENTS.md"]);
});

test("every example is shown in a document", () => {
  const all = documents.map(textOf).join("\n");
  const missing = readdirSync("examples").filter((file) => !all.includes(`<!-- examples/${file} -->`));
  expect(missing).toEqual([]);
});

test("every example is run by a test", () => {
  const tests = ["test/docs/examples.test.ts", "test/stores/postgres.test.ts"].map(textOf).join("\n");
  expect(readdirSync("examples").filter((file) => !tests.includes(file))).toEqual([]);
});

test("the adapters page shows an example of each adapter", () => {
  const shown = [...textOf("docs/adapters.md").matchAll(/<!-- examples\/(\S+) -->/g)].map(([, file]) => file);
  const adapters = [
    "ai-sdk",
    "openai-responses",
    "openai-chat",
    "openai-agents",
    "anthropic",
    "anthropic-runner",
    "claude-agent",
    "google",
    "langchain",
    "mastra",
  ];
  expect(shown).toEqual(expect.arrayContaining(adapters.map((name) => `${name}.mjs`)));
});
