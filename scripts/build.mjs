/** Builds `dist/`: bundled JavaScript (one file read costs about a millisecond at start-up), types from `tsc`. */
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { rolldown } from "rolldown";

const entries = ["index", "compat/index", "testing/index", "surfaces/cli/main", "surfaces/demo/main"];

rmSync("dist", { recursive: true, force: true });

const bundle = await rolldown({
  input: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
  platform: "node",
  external: [/^node:/, /^@modelcontextprotocol\//],
  // jsonc-parser's CommonJS build is what Node would pick; its ES build bundles to a third of the size.
  resolve: { mainFields: ["module", "main"] },
});
const { output } = await bundle.write({
  dir: "dist",
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
});
await bundle.close();
chmodSync("dist/surfaces/cli/main.js", 0o755);
writeFileSync("dist/third-party-licenses.txt", licensesOf(output));

execFileSync(
  process.execPath,
  [join("node_modules", "typescript", "bin", "tsc"), "-p", "tsconfig.build.json"],
  {
    stdio: "inherit",
  },
);

/** The licence texts of everything that was bundled in. */
function licensesOf(chunks) {
  const packages = new Set();
  for (const chunk of chunks) {
    for (const module of chunk.type === "chunk" ? chunk.moduleIds : []) {
      const inside = module.split(`${sep}node_modules${sep}`).at(-1);
      if (inside === undefined || inside === module) continue;
      const parts = inside.split(sep);
      packages.add(parts[0]?.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0]);
    }
  }
  return [...packages]
    .sort()
    .map((name) => {
      const folder = join("node_modules", name);
      const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const text = ["LICENSE", "LICENSE.md", "LICENSE.txt", "license"]
        .map((file) => join(folder, file))
        .flatMap(read)[0];
      if (text === undefined)
        throw new Error(`${name} is bundled but has no licence text in ${dirname(folder)}`);
      return `${name} ${version} (${license})\n\n${text.trim()}\n`;
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
