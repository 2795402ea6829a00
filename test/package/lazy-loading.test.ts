import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { expect, test } from "vitest";

/** A module with this ending is loaded by `import()` and is never in a file that is read at start-up. */
const LAZY = /\.lazy\.ts$/;
const DYNAMIC_IMPORT = /\bimport\(\s*["'](\.[^"']+)["']/g;

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((file) => posix.join("src", file.replaceAll("\\", "/")))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
const dynamicImports = sources.flatMap((from) =>
  [...readFileSync(join(from), "utf8").matchAll(DYNAMIC_IMPORT)].map(([, to = ""]) => ({
    from,
    to: posix.join(dirname(from), to),
  })),
);

test("every relative dynamic import loads a `.lazy.ts` module", () => {
  expect(dynamicImports.length).toBeGreaterThan(20);
  const wrong = dynamicImports.filter(({ to }) => !LAZY.test(to));
  expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

test("every `.lazy.ts` module is loaded by a dynamic import", () => {
  const targets = new Set(dynamicImports.map(({ to }) => to));
  expect(sources.filter((file) => LAZY.test(file) && !targets.has(file))).toEqual([]);
});

interface Chunk {
  readonly file: string;
  readonly isCore: boolean;
  readonly modules: readonly string[];
}
const readChunks = (): readonly Chunk[] =>
  (JSON.parse(readFileSync("dist/.build.json", "utf8")) as { readonly chunks: readonly Chunk[] }).chunks;

test("importing the package loads nothing of the gateway and the daemon", () => {
  const imported = readChunks().filter(({ file, isCore }) => isCore && file.endsWith(".js"));
  expect(imported.flatMap(({ modules }) => modules).length).toBeGreaterThan(100);
  const wrong = /^src\/(?:serving|daemon|team)\/|^src\/(?:gateway|run-daemon|open-serving)\.ts$/;
  expect(imported.flatMap(({ modules }) => modules.filter((module) => wrong.test(module)))).toEqual([]);
});

test("no `.lazy.ts` module is in a core chunk, and each is in another chunk", () => {
  const chunks = readChunks();
  const core = chunks.filter(({ isCore }) => isCore);
  expect(core.map(({ file }) => file.replace(/-[\w-]{8}\./, ".")).sort()).toEqual([
    "chunks/core.js",
    "chunks/model.js",
    "surfaces/cli/core.cjs",
  ]);
  for (const { file, modules } of core) {
    expect(modules.length, file).toBeGreaterThan(10);
    expect(
      modules.filter((module) => LAZY.test(module)),
      file,
    ).toEqual([]);
  }
  const elsewhere = new Set(chunks.flatMap(({ modules }) => modules));
  expect(sources.filter((file) => LAZY.test(file) && !elsewhere.has(file))).toEqual([]);
});

test("no file of the build loads an optional package before it is needed", () => {
  // One file may contain code of several modules, so that a command would fail that does not need the package.
  const early =
    /^import [^;]*? from "(?:pg|@napi-rs\/keyring)"|(?<!=>)(?<!=> ?__toESM\()require\("(?:pg|@napi-rs\/keyring)"\)/m;
  const programs = readChunks().map(({ file }) => join("dist", file)); // `dist` also has files of earlier builds
  expect(programs.length).toBeGreaterThan(100);
  expect(programs.filter((file) => early.test(readFileSync(file, "utf8")))).toEqual([]);
});
