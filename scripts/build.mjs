/**
 * Builds `dist/`: bundled JavaScript (one file read costs about a millisecond at start-up), types from `tsc`. The library is
 * readable; the command line is minified, because it starts often. Everything is written to a temporary folder first: a build
 * that fails changes nothing, and programs keep running during a build.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { escapeLetters } from "./build/ascii.mjs";
import { hashSources } from "./build/build-state.mjs";
import { builtinsWithoutFacade } from "./build/builtins.mjs";
import { buildDashboard } from "./build/dashboard.mjs";
import { writeDeclarations } from "./build/declarations.mjs";
import { describeChunks } from "./build/describe-chunks.mjs";
import { launcherText } from "./build/launcher-text.mjs";
import { licensesOf } from "./build/licenses.mjs";
import { makeNextFolder } from "./build/next-folder.mjs";
import { rawText } from "./build/raw-text.mjs";
import { replaceFiles } from "./build/replace-files.mjs";
import { dropSources } from "./build/source-map.mjs";
import { groupStaticModules } from "./build/static-modules.mjs";

const adapters = ["ai-sdk", "anthropic", "claude-agent", "google", "langchain", "mastra", "openai"].map(
  (name) => `adapters/${name}/index`,
);
const entryPoints = ["index", "gateway", "terminal", "compat/index", "testing/index", ...adapters];
const library = Object.fromEntries(
  [...entryPoints, "surfaces/demo/main"].map((entry) => [entry, `src/${entry}.ts`]),
);

// Importing the library loads only the model; the first host loads the rest.
const LIBRARY = {
  input: library,
  roots: [
    { name: "model", root: "src/index.ts", priority: 2 },
    { name: "core", root: "src/host.ts", priority: 1 },
  ],
  apart: Object.values(library),
  peers: ["@opentelemetry/api"], // the command line contains it, because the model SDK requires it
  preserveEntrySignatures: "strict",
};
const MAIN = "src/surfaces/run-process.ts";
// The entry point is part of the core file and exports internal names too, so that every start reads one file less.
const PROGRAM = {
  input: { core: MAIN },
  roots: [{ name: "core", root: MAIN }],
  apart: [],
  preserveEntrySignatures: "allow-extension",
};

const root = fileURLToPath(new URL("../", import.meta.url));
process.chdir(root);

const { version, engines } = JSON.parse(readFileSync("package.json", "utf8"));

/** Syntax is compiled for the oldest supported Node. */
const OLDEST = `node${/\d+\.\d+/.exec(engines.node)}`;

const sources = hashSources(root);
const next = makeNextFolder(root);
const cliFolder = join(next, "surfaces", "cli");

const libraryOutput = await bundle(LIBRARY, {
  dir: next,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  minify: false,
});
dropSources(next, (source) => source.includes("node_modules/"));
const cliOutput = await bundle(PROGRAM, {
  dir: cliFolder,
  format: "cjs",
  entryFileNames: "[name]-[hash].cjs",
  chunkFileNames: "[name]-[hash].cjs",
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
});
for (const { type, fileName } of cliOutput) if (type === "chunk") escapeLetters(join(cliFolder, fileName));
dropSources(cliFolder, () => true);
const core = cliOutput.find(({ facadeModuleId }) => facadeModuleId === resolve(MAIN));
if (!core.exports.includes("runProcess")) throw new Error(`${core.fileName} does not export runProcess`);
const launcher = (await launcherText())
  .replaceAll("__VERSION__", version)
  .replaceAll("__CORE__", core.fileName);
writeFileSync(join(cliFolder, "main.cjs"), launcher, { mode: 0o755 });
const dashboardOutput = await buildDashboard(root, join(next, "surfaces", "dashboard"));
const bundled = [...libraryOutput, ...cliOutput, ...dashboardOutput];
writeFileSync(join(next, "third-party-licenses.txt"), licensesOf(bundled, root));

await writeDeclarations(entryPoints, root, next);
replaceFiles(next, "dist", {
  sources,
  chunks: [
    ...describeChunks(libraryOutput, { folder: "", roots: LIBRARY.roots, root }),
    ...describeChunks(cliOutput, { folder: "surfaces/cli/", roots: PROGRAM.roots, root }),
  ],
});

async function bundle({ input, roots, apart, peers = [], preserveEntrySignatures }, output) {
  const { plugin, groups } = groupStaticModules(roots, apart);
  const building = await rolldown({
    input,
    preserveEntrySignatures,
    platform: "node",
    transform: { target: OLDEST },
    external: ["@napi-rs/keyring", "pg", /^@langchain\//, ...peers], // optional, loaded when needed
    plugins: [builtinsWithoutFacade(), rawText(), plugin],
    // Node would use the CommonJS builds, but the ES builds are a third of the size when bundled and need no `require`.
    resolve: {
      mainFields: ["module", "main"],
      alias: {
        yaml: resolve("node_modules/yaml/browser/index.js"),
        "@ai-sdk/gateway": resolve("scripts/build/no-gateway.mjs"), // 150 KB for a service that Plugboard never uses
      },
    },
  });
  const { output: chunks } = await building.write({
    ...output,
    // One file for the code that every run needs, because each additional file costs a millisecond.
    codeSplitting: { groups },
    sourcemap: true,
  });
  await building.close();
  return chunks;
}
