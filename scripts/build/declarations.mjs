/** Writes the types: `tsc` creates a declaration file for each module, and these are bundled into a few files. */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

/** For projects whose `lib` does not include these types. */
const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n';

export async function writeDeclarations(entries, root, folder) {
  const single = join(folder, "declarations");
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json", "--outDir", single], {
    cwd: root,
    stdio: "inherit",
  });
  const building = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, join(single, `${entry}.d.ts`)])),
    plugins: [dts({ dtsInput: true, tsconfig: false })],
    external: /^[^./]/,
    checks: { pluginTimings: false },
  });
  const { output } = await building.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].ts", // the plugin adds the `.d`
    chunkFileNames: "chunks/[name]-[hash].d.ts",
  });
  await building.close();
  rmSync(single, { recursive: true });
  for (const { fileName } of output) {
    const file = join(folder, fileName);
    const text = separateComments(readFileSync(file, "utf8").replace(/^\/\/(?:#(?:end)?region| ).*\n/gm, ""));
    writeFileSync(file, /\bSymbol\.(?:asyncD|d)ispose\b/.test(text) ? DISPOSABLE + text : text);
  }
}

/**
 * Puts doc comments on lines of their own. The bundler writes those of a type literal behind the member before, where editors do
 * not show them.
 */
function separateComments(text) {
  return text
    .replace(/^([ \t]*)(\/\*\*.*?\*\/)(?=\S)/gm, "$1$2\n$1")
    .replace(
      /^([ \t]*)(\S.*([;{])) (\/\*\*.*)$/gm,
      (_, indent, code, end, comment) => `${indent}${code}\n${indent}${end === "{" ? "  " : ""}${comment}`,
    );
}
