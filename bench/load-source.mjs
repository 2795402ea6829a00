/** Bundles one module of `src/`, to measure internal steps that the package does not export. */
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { scratchFolder } from "./scratch.mjs";

export async function loadSource(path) {
  return import(pathToFileURL(await bundleSource(path)).href);
}

/** Returns the file with the bundle, in the run's temporary folder. */
export async function bundleSource(path) {
  const input = fileURLToPath(new URL(`../src/${path}`, import.meta.url));
  const bundle = await rolldown({ input, platform: "node" });
  const file = join(scratchFolder("source"), "module.mjs");
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return file;
}
