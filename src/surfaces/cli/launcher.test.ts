import { readFileSync } from "node:fs";
import { posix, win32 } from "node:path";
import { compileFunction } from "node:vm";
import { expect, test } from "vitest";
import { findPlaces } from "../../state/index.ts";

const text = readFileSync("src/surfaces/cli/launcher.cjs", "utf8").replace(/^#!.*/, "");

/** Where the launcher of a system keeps compiled code: it is run for its version, and asked. */
function codeFolder(platform: string, env: Record<string, string>): string | undefined {
  const process = { argv: ["", "", "--version"], env, platform, arch: "x64", version: "v20", versions: {} };
  const stdout = { write: () => true };
  const load = (): unknown => (platform === "win32" ? win32 : posix);
  const launcher = compileFunction(`${text}; return cacheFolder;`, ["process", "require"]);
  const cacheFolder = launcher({ ...process, stdout }, load) as () => string | undefined;
  return cacheFolder();
}

test.each([
  ["linux", "/home/me", {}],
  ["linux", "/home/me", { XDG_CACHE_HOME: "/fast" }],
  ["linux", "/home/me", { XDG_CACHE_HOME: "relative" }],
  ["linux", "/home/me", { PLUGBOARD_HOME: "/else" }],
  ["darwin", "/Users/me", {}],
  ["darwin", "/Users/me", { XDG_CACHE_HOME: "/fast" }],
  ["win32", "C:\\Users\\me", {}],
  ["win32", "C:\\Users\\me", { LOCALAPPDATA: "D:\\local" }],
  ["win32", "C:\\Users\\me", { PLUGBOARD_HOME: "D:\\else" }],
])("the launcher keeps compiled code in the cache folder on %s: %s %j", (platform, home, variables) => {
  const own = { [platform === "win32" ? "USERPROFILE" : "HOME"]: home, ...variables };
  const { cache } = findPlaces({ platform, home, cwd: home, variables });
  const { join } = platform === "win32" ? win32 : posix;
  expect(codeFolder(platform, own)).toBe(join(cache, "code", "v20-x64"));
});

test("and keeps none where no home is known", () => {
  expect(codeFolder("linux", {})).toBeUndefined();
});

test("a Node that is too old is told which ones are not: those of the package", () => {
  const said: string[] = [];
  const stderr = { write: (line: string) => said.push(line) };
  const process = {
    argv: ["", "", "list"],
    env: {},
    platform: "linux",
    version: "v18.0.0",
    versions: {},
    stderr,
  };
  compileFunction(text, ["process"])(process);
  expect(process).toMatchObject({ exitCode: 1 });
  expect(said).toEqual(["plugboard needs Node 20.19, 22.12 or newer; this is v18.0.0.\n"]);
  const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };
  expect(engines.node).toBe("^20.19.0 || >=22.12.0");
});
