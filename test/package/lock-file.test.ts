import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface LockedPackage {
  readonly hasInstallScript?: boolean;
  readonly engines?: { readonly node?: string };
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const packages = lockedPackages("../../package-lock.json");

// npm drops other platforms' packages from the lock when it installs over an existing folder (npm/cli#4828). `npm ci` then fails on them.
test("the lock file contains the optional packages of every platform", () => {
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

// npm prints five lines for each package that does not support the Node it runs on.
test.each(["20.19.0", "22.12.0", "24.0.0", "26.0.0"])("every package supports Node %s", (version) => {
  const unsupported = Object.entries(packages).flatMap(([folder, { engines, optional = false }]) =>
    optional || isInRange(version, engines?.node ?? "*") ? [] : [`${folder}: ${engines?.node}`],
  );
  expect(unsupported).toEqual([]);
});

// npm warns about install scripts that are neither allowed nor denied.
test("the install scripts of all packages are allowed by name", () => {
  const { allowScripts } = JSON.parse(readFileSync("package.json", "utf8")) as { allowScripts: object };
  const scripted = Object.keys(packages).filter((folder) => packages[folder]?.hasInstallScript);
  expect(scripted.map((folder) => folder.replace(/^.*node_modules\//, "")).sort()).toEqual(
    Object.keys(allowScripts).sort(),
  );
});

test.each([
  ["20.19.0", ">=22", false],
  ["20.19.0", "^18 || >=20.6.0", true],
  ["20.19.0", "^20.20.0", false],
  ["24.0.0", "^20.0.0 || ^22.0.0", false],
  ["26.0.0", ">= 20 <26", false],
  ["26.0.0", "10.* || >= 12.*", true],
] as const)("Node %s is in the range %s: %s", (version, range, expected) => {
  expect(isInRange(version, range)).toBe(expected);
});

test.each([
  "../../package-lock.json",
  "../consumers/mastra/package-lock.json",
  "../consumers/sdks/package-lock.json",
  "../consumers/snippets/package-lock.json",
])("the lock file %s names no registry", (path) => {
  const locked = lockedPackages(path);
  expect(Object.keys(locked).filter((name) => "resolved" in (locked[name] ?? {}))).toEqual([]);
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

/** The part of npm's ranges that packages use in `engines`. */
function isInRange(version: string, range: string): boolean {
  const isSatisfied = (comparator: string): boolean => {
    const [, sign = "", wanted = ""] = /^(>=|<|\^|~)?(.*)$/.exec(comparator) ?? [];
    if (wanted === "*") return true;
    const order = compare(version, wanted);
    if (sign === ">=") return order >= 0;
    if (sign === "<") return order < 0;
    return order >= 0 && version.split(".")[0] === wanted.split(".")[0];
  };
  return range.split("||").some((alternative) =>
    alternative
      .trim()
      .replace(/([>=<^~])\s+/g, "$1")
      .split(/\s+/)
      .every(isSatisfied),
  );
}

function compare(left: string, right: string): number {
  const [a, b] = [left, right].map((text) => text.split(".").map((part) => Number(part) || 0));
  const differing = [0, 1, 2].find((index) => (a?.[index] ?? 0) !== (b?.[index] ?? 0));
  return differing === undefined ? 0 : (a?.[differing] ?? 0) - (b?.[differing] ?? 0);
}
