import { readFileSync } from "node:fs";
import { type Declaration, findDeclaration, namedBy, readDeclarations } from "./declarations.ts";

interface EntryPoint {
  /** Its import path. */
  readonly name: string;
  readonly file: string;
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};

export const entryPoints: readonly EntryPoint[] = Object.entries(manifest.exports).flatMap(
  ([path, target]) =>
    typeof target === "string"
      ? []
      : [{ name: path.replace(/^\./, "plugboard"), file: target.types.replace(/^\.\/dist\//, "") }],
);

/** Returns what an entry point exports, by name. */
export function exportsOf(file: string): Declaration[] {
  return [...new Set(readDeclarations(file).exported)]
    .map((name) => {
      const declaration = findDeclaration(file, name);
      if (declaration === undefined) throw new Error(`${file} exports ${name}, which has no declaration.`);
      return declaration;
    })
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/** Returns the declarations that the given ones refer to, directly and indirectly, by name. */
export function referredTo(given: Iterable<Declaration>): Declaration[] {
  const known = new Set(given);
  const waiting = [...known];
  const found: Declaration[] = [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const declaration of namedBy(next))
      if (!known.has(declaration)) {
        known.add(declaration);
        found.push(declaration);
        waiting.push(declaration);
      }
  return found.toSorted((one, other) => one.name.localeCompare(other.name));
}
