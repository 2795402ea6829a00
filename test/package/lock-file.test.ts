import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface LockedPackage {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const packages = lockedPackages("../../package-lock.json");

// npm drops other platforms' packages from the lock when it installs over an existing folder (npm/cli#4828). `npm ci` then fails on them.
test("the lock file holds the optional packages of every platform", () => {
  const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(folder, name))
      .map((name) => `${folder}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test.each(["darwin-arm64", "win32-x64", "linux-x64"])("the tools are locked for %s", (platform) => {
  const names = Object.keys(packages);
  const toolsFor = (prefix: string): string[] =>
    names.filter((name) => name.startsWith(`node_modules/${prefix}`) && name.includes(platform));
  for (const prefix of ["@biomejs/", "@rolldown/binding-", "@oxlint/binding-", "@typescript/"])
    expect(toolsFor(prefix), prefix).not.toEqual([]);
});

test("the lock file names no registry", () => {
  expect(Object.keys(packages).filter((name) => "resolved" in (packages[name] ?? {}))).toEqual([]);
});

function lockedPackages(path: string): Readonly<Record<string, LockedPackage>> {
  const text = readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
  return (JSON.parse(text) as { packages: Record<string, LockedPackage> }).packages;
}

/** Looks where Node would: in the package's own folder, then in each folder above it. */
function isLocked(folder: string, name: string): boolean {
  const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
  if (path in packages) return true;
  if (folder === "") return false;
  const above = folder.lastIndexOf("/node_modules/");
  return isLocked(above === -1 ? "" : folder.slice(0, above), name);
}
