/** Builds `dist/` if the sources changed since the last build. `--only` also removes files of earlier builds. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isUpToDate } from "./build/build-state.mjs";
import { removeEarlierFiles } from "./build/replace-files.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const dist = join(root, "dist");

if (!isUpToDate(root, dist)) {
  process.stderr.write("Building Plugboard; this takes a few seconds ...\n");
  await import("./build.mjs");
}
if (process.argv.includes("--only")) removeEarlierFiles(dist);
