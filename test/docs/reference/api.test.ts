import { expect, test } from "vitest";
import { anchorOf } from "../markdown.ts";
import { type Declaration, readDeclarations } from "./declarations.ts";
import { entryPoints, exportsOf, referredTo } from "./entry-points.ts";

/** `npx vitest run test/docs/reference -u` regenerates the page from the declarations. */
test("the API reference matches the package's declarations", async () => {
  await expect(page()).toMatchFileSnapshot("../../../docs/reference/api.md");
}, 120_000);

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

function section({ name, file }: (typeof entryPoints)[number], shown: Set<Declaration>): string[] {
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
  return [
    "## Other types",
    "Types that appear in a signature above but are not exported.",
    ...referredTo(shown).flatMap(entry),
  ];
}

function entry({ name, doc, text }: Declaration): string[] {
  return [`### ${name}`, ...(doc === "" ? [] : [doc]), `\`\`\`ts\n${text}\n\`\`\``];
}
