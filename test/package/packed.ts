import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";

/** The package as npm would publish it, installed in a project that has nothing else. */
export interface PackedPackage {
  readonly project: string;
  readonly folder: string;
  readonly files: readonly string[];
  read(file: string): string;
}

export function packAndInstall(): PackedPackage {
  const project = mkdtempSync(join(tmpdir(), "plugboard-packed-"));
  const folder = join(project, "node_modules", "plugboard");
  mkdirSync(folder, { recursive: true });
  run("npm", ["pack", "--silent", "--pack-destination", project]);
  const [tarball = ""] = readdirSync(project).filter((name) => name.endsWith(".tgz"));
  run("tar", ["-xzf", join(project, tarball), "-C", folder, "--strip-components=1"]);
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  return { project, folder, files, read: (file) => readFileSync(join(folder, file), "utf8") };
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, {
    cwd: resolve("."),
    encoding: "utf8",
    shell: command === "npm" && process.platform === "win32",
  });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`);
}
