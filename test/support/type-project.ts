import { spawnSync } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Sandbox } from "./sandbox.ts";

/** The oldest and the newest TypeScript that Plugboard supports. */
type Version = "5.9" | "7";

const COMPILERS: Readonly<Record<Version, string>> = {
  "5.9": resolve("test/consumers/typescript-5/node_modules/typescript/bin/tsc"),
  "7": resolve("node_modules/typescript/bin/tsc"),
};

/** Makes the sandbox's project a strict TypeScript project that can import the built package. */
export async function writeTypeProject(sandbox: Sandbox): Promise<void> {
  await sandbox.writeProject("package.json", { type: "module" });
  await sandbox.writeProject("tsconfig.json", {
    compilerOptions: {
      target: "es2022",
      lib: ["ES2022", "DOM"],
      types: [],
      module: "nodenext",
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      allowJs: true,
      checkJs: true,
      skipLibCheck: false,
      outDir: "out",
    },
    exclude: ["out"],
  });
  await mkdir(join(sandbox.project, "node_modules"));
  await symlink(resolve("."), join(sandbox.project, "node_modules", "plugboard"), "junction");
}

/** Compiles the project and returns the errors. */
export function compileProject({ project }: Sandbox, version: Version): string {
  return spawnSync(process.execPath, [COMPILERS[version], "-p", project], { cwd: project, encoding: "utf8" })
    .stdout;
}
