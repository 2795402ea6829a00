/**
 * Builds `dist/`: bundled JavaScript (one file read costs about a millisecond at start-up), types from `tsc`. Everything is
 * written to a folder beside it first: a build that fails changes nothing, and programs go on running during a build.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { hashSources } from "./build/build-state.mjs";
import { builtinsWithoutFacade } from "./build/builtins.mjs";
import { launcherText } from "./build/launcher-text.mjs";
import { makeNextFolder } from "./build/next-folder.mjs";
import { replaceFiles } from "./build/replace-files.mjs";

/** Parts of `src/` that are loaded when they are needed, in files of their own. */
const LATER =
  /^(?:surfaces\/demo|testing|compat|adapters|index\.ts|connection\/(?!index|supervis|lifecycle|turnstile|start-program|server-environment|connection\.|wire\/wire-error)|auth\/(?!index)|platform\/node\/(?:http|guarded-lookup|proxy-for|proxy-routes|route|keychain|browser|loopback)|documents\/(?:parse-toml|locate-toml|parse-yaml|plain-yaml|edit-toml|scan-toml)|discovery\/dialects|operations\/(?:export|offers)|surfaces\/cli\/later|surfaces\/tui)/;

const adapters = ["ai-sdk", "anthropic", "langchain", "openai"].map((name) => `adapters/${name}/index`);
const library = Object.fromEntries(
  ["index", "compat/index", "testing/index", ...adapters, "surfaces/demo/main"].map((entry) => [
    entry,
    `src/${entry}.ts`,
  ]),
);

const NOUNS = { name: "model", test: /[\\/]src[\\/](?:model[\\/]|version\.ts)/, priority: 2 };
const CORE = { name: "core", test: (id) => isCore(id), priority: 1 };

/** Packages that come without the text of their licence, and the one of the same repository that has it. */
const LICENSED_WITH = { "@ai-sdk/provider-utils": "ai" };

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
});
const cliChunks = await bundle({ cli: "src/surfaces/cli/run-process.ts" }, [CORE], {
  dir: cliFolder,
  format: "cjs",
  entryFileNames: "[name]-[hash].cjs",
  chunkFileNames: "[name]-[hash].cjs",
});
for (const { fileName } of cliChunks) inPlainLetters(join(cliFolder, fileName));
const { core, run } = entryInto(cliChunks);
const launcher = (await launcherText())
  .replaceAll("__VERSION__", version)
  .replaceAll("__CORE__", core)
  .replaceAll("__RUN__", run);
writeFileSync(join(cliFolder, "main.cjs"), launcher, { mode: 0o755 });
writeFileSync(join(next, "third-party-licenses.txt"), licensesOf([...libraryChunks, ...cliChunks]));

execFileSync(
  process.execPath,
  [join("node_modules", "typescript", "bin", "tsc"), "-p", "tsconfig.build.json", "--outDir", next],
  { stdio: "inherit" },
);

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
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  });
  await building.close();
  return chunks;
}

/** A text of one byte per letter is read, kept and compared in half the time. Escapes mean the same in strings and patterns. */
function inPlainLetters(file) {
  const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
  writeFileSync(file, readFileSync(file, "utf8").replace(/[^\0-\x7f]/g, escaped));
}

/** The entry only hands on what the core has: the launcher asks the core itself, and every start reads a file less. */
function entryInto(chunks) {
  const { fileName, code } = chunks.find((chunk) => chunk.isEntry);
  const [, core, run] =
    /require\("\.\/(core-[\w-]+\.cjs)"\);exports\.runProcess=\w+\.(\w+);$/.exec(code.trim()) ?? [];
  if (core === undefined) throw new Error(`${fileName} does more than hand on what the core has`);
  rmSync(join(cliFolder, fileName));
  return { core, run };
}

function isCore(id) {
  const path = id.split(sep).join("/");
  if (path.includes("/node_modules/")) return false;
  const [, inside] = path.split("/src/");
  return inside !== undefined && !LATER.test(inside);
}

/** The licence texts of everything that was bundled in. */
function licensesOf(chunks) {
  const folders = new Map();
  for (const chunk of chunks) {
    for (const module of chunk.type === "chunk" ? chunk.moduleIds : []) {
      const inside = module.split(`${sep}node_modules${sep}`).at(-1);
      if (inside === undefined || inside === module) continue;
      const parts = inside.split(sep);
      const name = parts[0]?.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0];
      folders.set(name, join(module.slice(0, -inside.length), name));
    }
  }
  return [...folders]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, folder]) => {
      const { version: packageVersion, license } = JSON.parse(
        readFileSync(join(folder, "package.json"), "utf8"),
      );
      const text = ["LICENSE", "LICENSE.md", "LICENSE.txt", "license"]
        .map((file) =>
          join(LICENSED_WITH[name] === undefined ? folder : join("node_modules", LICENSED_WITH[name]), file),
        )
        .flatMap(read)[0];
      if (text === undefined)
        throw new Error(`${name} is bundled but has no licence text in ${dirname(folder)}`);
      return `${name} ${packageVersion} (${license})\n\n${text.trim()}\n`;
    })
    .join(`\n${"-".repeat(72)}\n\n`);
}

function read(file) {
  try {
    return [readFileSync(file, "utf8")];
  } catch {
    return []; // the next spelling may exist
  }
}
