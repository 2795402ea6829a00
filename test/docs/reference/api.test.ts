import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { anchorOf } from "../markdown.ts";
import { type Declaration, findDeclaration, namedBy, readDeclarations } from "./declarations.ts";

interface EntryPoint {
  readonly name: string;
  readonly file: string;
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};
const entryPoints: readonly EntryPoint[] = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === "string"
    ? []
    : [{ name: path.replace(/^\./, "plugboard"), file: target.types.replace(/^\.\/dist\//, "") }],
);

/** `npx vitest run test/docs/reference -u` regenerates the page from the declarations. */
test("the API reference matches the package's declarations", async () => {
  await expect(page()).toMatchFileSnapshot("../../../docs/reference/api.md");
});

test("every exported function and class has a doc comment", () => {
  const undocumented = entryPoints.flatMap(({ name, file }) =>
    exportsOf(file)
      .filter(({ text, doc }) => /^(?:async )?(?:function|class)\b/.test(text) && doc === "")
      .map((declaration) => `${name}: ${declaration.name}`),
  );
  expect(undocumented).toEqual([]);
});

function page(): string {
  const shown = new Set<Declaration>();
  const parts = entryPoints.map((entryPoint) => section(entryPoint, shown));
  return `${[
    "# API reference",
    "Every export of every entry point, generated from the package's declarations. [The library](../library.md) explains how to use them.",
    entryPoints.map(({ name }) => `- [\`${name}\`](#${anchorOf(name)})`).join("\n"),
    ...parts.flat(),
    ...named(shown),
  ].join("\n\n")}\n`;
}

function section({ name, file }: EntryPoint, shown: Set<Declaration>): string[] {
  const all = exportsOf(file);
  const again = all.filter((declaration) => shown.has(declaration));
  const fresh = all.filter((declaration) => !shown.has(declaration));
  for (const declaration of fresh) shown.add(declaration);
  const isCode = ({ text }: Declaration): boolean => /^(?:function|class|const)\b/.test(text);
  return [
    `## ${name}`,
    ...(readDeclarations(file).doc === "" ? [] : [readDeclarations(file).doc]),
    ...(again.length === 0
      ? []
      : [
          `Also here: ${again.map((declaration) => `[\`${declaration.name}\`](#${anchorOf(declaration.name)})`).join(", ")}.`,
        ]),
    ...[...fresh.filter(isCode), ...fresh.filter((declaration) => !isCode(declaration))].flatMap(entry),
  ];
}

/** Types that signatures name but that no entry point exports. */
function named(shown: Set<Declaration>): string[] {
  const waiting = [...shown];
  const found: Declaration[] = [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const declaration of namedBy(next))
      if (!shown.has(declaration)) {
        shown.add(declaration);
        found.push(declaration);
        waiting.push(declaration);
      }
  const sorted = found.toSorted((one, other) => one.name.localeCompare(other.name));
  return [
    "## Other types",
    "Types that appear in a signature above but are not exported.",
    ...sorted.flatMap(entry),
  ];
}

function entry({ name, doc, text }: Declaration): string[] {
  return [`### ${name}`, ...(doc === "" ? [] : [doc]), `\`\`\`ts\n${text}\n\`\`\``];
}

function exportsOf(file: string): Declaration[] {
  return [...new Set(readDeclarations(file).exported)]
    .map((name) => {
      const declaration = findDeclaration(file, name);
      if (declaration === undefined) throw new Error(`${file} exports ${name}, which has no declaration.`);
      return declaration;
    })
    .toSorted((one, other) => one.name.localeCompare(other.name));
}
