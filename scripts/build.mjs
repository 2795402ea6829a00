/**
 * Builds `dist/`: bundled JavaScript (one file read costs about a millisecond at start-up), types from `tsc`. The library is
 * readable; the command line is minified, because it starts often. Everything is written to a folder beside it first: a build
 * that fails changes nothing, and programs go on running during a build.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { escapeLetters } from "./build/ascii.mjs";
import { hashSources } from "./build/build-state.mjs";
import { builtinsWithoutFacade } from "./build/builtins.mjs";
import { writeDeclarations } from "./build/declarations.mjs";
import { launcherText } from "./build/launcher-text.mjs";
import { licensesOf } from "./build/licenses.mjs";
import { makeNextFolder } from "./build/next-folder.mjs";
import { replaceFiles } from "./build/replace-files.mjs";
import { dropSources } from "./build/source-map.mjs";

/** Parts of `src/` that are loaded when they are needed, in files of their own. */
const LATER =
  /^(?:surfaces\/demo|testing|compat|adapters|index\.ts|connection\/(?!index|supervis|lifecycle|concurrency-limit|start-program|server-environment|connection\.|wire\/wire-error)|auth\/(?!index)|platform\/node\/(?:http|guarded-lookup|proxy-for|proxy-routes|route|keychain|browser|loopback)|documents\/(?:parse-toml|locate-toml|parse-yaml|plain-yaml|edit-toml|scan-toml)|discovery\/dialects|operations\/(?:export|resources-and-prompts)|surfaces\/cli\/later|surfaces\/tui)/;

const adapters = ["ai-sdk", "anthropic", "langchain", "openai"].map((name) => `adapters/${name}/index`);
const entryPoints = ["index", "compat/index", "testing/index", ...adapters];
const library = Object.fromEntries(
  [...entryPoints, "surfaces/demo/main"].map((entry) => [entry, `src/${entry}.ts`]),
);

const NOUNS = { name: "model", test: /[\\/]src[\\/](?:model[\\/]|version\.ts)/, priority: 2 };
const CORE = { name: "core", test: (id) => isCore(id), priority: 1 };

const root = fileURLToPath(new URL("../", import.meta.url));
process.chdir(root);

const { version, engines } = JSON.parse(readFileSync("package.json", "utf8"));

/** Words of the language that the oldest Node does not know are written as it knows them. */
const OLDEST = `node${/\d+\.\d+/.exec(engines.node)}`;

const sources = hashSources(root);
const next = makeNextFolder(root);
const cliFolder = join(next, "surfaces", "cli");

// Importing the library loads its nouns only; the rest comes with the first host.
const libraryChunks = await bundle(library, [NOUNS, CORE], {
  dir: next,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  minify: false,
});
dropSources(next, (source) => source.includes("node_modules/"));
const cliChunks = await bundle({ cli: "src/surfaces/cli/run-process.ts" }, [CORE], {
  dir: cliFolder,
  format: "cjs",
  entryFileNames: "[name]-[hash].cjs",
  chunkFileNames: "[name]-[hash].cjs",
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
});
for (const { type, fileName } of cliChunks) if (type === "chunk") escapeLetters(join(cliFolder, fileName));
dropSources(cliFolder, () => true);
const { core, run } = entryInto(cliChunks);
const launcher = (await launcherText())
  .replaceAll("__VERSION__", version)
  .replaceAll("__CORE__", core)
  .replaceAll("__RUN__", run);
writeFileSync(join(cliFolder, "main.cjs"), launcher, { mode: 0o755 });
writeFileSync(join(next, "third-party-licenses.txt"), licensesOf([...libraryChunks, ...cliChunks], root));

await writeDeclarations(entryPoints, root, next);
replaceFiles(next, "dist", sources);

async function bundle(input, groups, output) {
  const building = await rolldown({
    input,
    platform: "node",
    transform: { target: OLDEST },
    external: ["@napi-rs/keyring", /^@langchain\//], // optional, loaded late
    plugins: [builtinsWithoutFacade()],
    // The CommonJS builds are what Node would pick; the ES builds bundle to a third of the size, and need no `require`.
    resolve: {
      mainFields: ["module", "main"],
      alias: {
        yaml: resolve("node_modules/yaml/browser/index.js"),
        "@ai-sdk/gateway": resolve("scripts/build/no-gateway.mjs"), // 150 KB for a service that is never asked
      },
    },
  });
  const { output: chunks } = await building.write({
    ...output,
    // One file for what every run needs: a dozen small ones would cost a millisecond each.
    codeSplitting: { groups },
    sourcemap: true,
  });
  await building.close();
  return chunks;
}

/** The entry only hands on what the core has: the launcher asks the core itself, and every start reads a file less. */
function entryInto(chunks) {
  const { fileName, code } = chunks.find((chunk) => chunk.isEntry);
  const [, core, run] =
    /require\("\.\/(core-[\w-]+\.cjs)"\);exports\.runProcess=\w+\.(\w+);$/.exec(
      code.replace(/\/\/# sourceMappingURL=.*/, "").trim(),
    ) ?? [];
  if (core === undefined) throw new Error(`${fileName} does more than hand on what the core has`);
  for (const file of [fileName, `${fileName}.map`]) rmSync(join(cliFolder, file), { force: true });
  return { core, run };
}

function isCore(id) {
  const path = id.split(sep).join("/");
  if (path.includes("/node_modules/")) return false;
  const [, inside] = path.split("/src/");
  return inside !== undefined && !LATER.test(inside);
}
