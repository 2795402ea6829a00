/**
 * Moves a finished build to `dist/` file by file, so that a program that runs from there finds every file. Swapping
 * whole folders would leave a moment without `dist/`, and remove files that running programs load later.
 */
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { readBuildState, STATE_FILE } from "./build-state.mjs";

const HASHED = /-[\w-]{8}\.(?:c?js|d\.ts|css|svg)(?:\.map)?$/;
const HASHED_CODE = /-[\w-]{8}\.(?:c?js|css|svg)$/;
const ATTEMPTS = 20;
const PAUSE_MS = 50;

/** Keeps the code of the previous build for programs that started from it. The next build removes it. */
export function replaceFiles(next, dist, { sources, chunks }) {
  const previous = (readBuildState(dist)?.files ?? []).filter((file) => HASHED_CODE.test(file));
  const files = filesIn(next);
  mkdirSync(dist, { recursive: true });
  rmSync(join(dist, STATE_FILE), { force: true }); // until the end, `dist/` is not a complete build
  // Files with a fixed name import files with a hashed name, never the other way around.
  for (const file of [...files.filter(isHashed), ...files.filter((name) => !isHashed(name))]) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    rename(join(next, file), join(dist, file));
  }
  removeAllBut(new Set([...files, ...previous]), dist);
  writeFileSync(join(next, STATE_FILE), `${JSON.stringify({ sources, files, chunks }, null, 2)}\n`);
  rename(join(next, STATE_FILE), join(dist, STATE_FILE));
  rmSync(next, { recursive: true, force: true });
}

/** Removes the files of earlier builds before packing. */
export function removeEarlierFiles(dist) {
  const { files } = readBuildState(dist);
  removeAllBut(new Set([...files, STATE_FILE]), dist);
}

function isHashed(file) {
  return HASHED.test(file);
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}

function removeAllBut(wanted, folder) {
  for (const file of filesIn(folder)) if (!wanted.has(file)) rmSync(join(folder, file), { force: true });
  const folders = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort((left, right) => right.length - left.length);
  for (const path of folders) {
    try {
      rmdirSync(path);
    } catch {
      // not empty
    }
  }
}

/** Windows refuses to replace a file while another program has it open, which usually takes only a moment. */
function rename(from, to, attempts = ATTEMPTS) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (attempts === 0 || !["EPERM", "EACCES", "EBUSY"].includes(error.code)) throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    rename(from, to, attempts - 1);
  }
}
