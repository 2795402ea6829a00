import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { inject } from "vitest";

let compiled: string | undefined;

/** Returns a folder with a declaration file for each module, because the package has only bundled ones. Created once per run. */
export function declarationsFolder(): string {
  compiled ??= compile(join(inject("runFolder"), "declarations"));
  return compiled;
}

function compile(folder: string): string {
  if (existsSync(folder)) return folder;
  const making = mkdtempSync(`${folder}-`);
  const tsc = resolve("node_modules/typescript/bin/tsc");
  const args = [tsc, "-p", "tsconfig.build.json", "--outDir", making];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`tsc failed.\n${stdout}`);
  try {
    renameSync(making, folder);
  } catch {
    rmSync(making, { recursive: true, force: true }); // another test file was faster
  }
  return folder;
}
