/** Checks whether `dist/` was built from the current sources. Uses no packages, so that the check is fast. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** In `dist/`, but not in the package. */
export const STATE_FILE = ".build.json";

const SINGLE_FILES = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "scripts/build.mjs",
];
const FOLDERS = ["src", "scripts/build"];

/** Returns a hash of all files that a build reads. It covers their content, not their times, which a checkout or a copy changes. */
export function hashSources(root) {
  const hash = createHash("sha256");
  for (const path of [...SINGLE_FILES, ...FOLDERS.flatMap((folder) => filesIn(root, folder))].sort()) {
    hash.update(`${path}\0`);
    hash.update(
      createHash("sha256")
        .update(readFileSync(join(root, path)))
        .digest(),
    );
  }
  return hash.digest("hex");
}

export function isUpToDate(root, dist) {
  const state = readBuildState(dist);
  return (
    state !== undefined &&
    state.files.every((file) => existsSync(join(dist, file))) &&
    state.sources === hashSources(root)
  );
}

/** Returns the files of the last completed build, and the hash of its sources. */
export function readBuildState(dist) {
  try {
    const { sources, files } = JSON.parse(readFileSync(join(dist, STATE_FILE), "utf8"));
    return typeof sources === "string" && Array.isArray(files) ? { sources, files } : undefined;
  } catch {
    return undefined; // never built, or a build was interrupted
  }
}

function filesIn(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}
