import { readFileSync } from "node:fs";
import { posix, win32 } from "node:path";
import { compileFunction } from "node:vm";
import { expect, test } from "vitest";
import { launcherText } from "../../../scripts/build/launcher-text.mjs";
import { findOwnPaths } from "../../state/index.ts";

const text = (await launcherText()).replace(/^#!.*/, "");

/** Returns the folder in which the launcher stores compiled code on a platform. */
function codeFolder(platform: string, env: Record<string, string>, account?: string): string | undefined {
  const process = { argv: ["", "", "--version"], env, platform, arch: "x64", version: "v20", versions: {} };
  const stdout = { write: () => true };
  const userInfo = (): unknown => {
    if (account === undefined) throw new Error("ENOENT: no such user");
    return { homedir: account };
  };
  const load = (name: string): unknown => {
    if (name === "node:os") return { userInfo };
    return platform === "win32" ? win32 : posix;
  };
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
])("the launcher stores compiled code in the cache folder on %s: %s %j", (platform, home, variables) => {
  const own = { [platform === "win32" ? "USERPROFILE" : "HOME"]: home, ...variables };
  const { cache } = findOwnPaths({ platform, home, cwd: home, variables });
  const { join } = platform === "win32" ? win32 : posix;
  expect(codeFolder(platform, own)).toBe(join(cache, "code", "v20-x64"));
});

test.each([
  ["linux", {}],
  ["linux", { HOME: "" }],
  ["linux", { HOME: "." }],
  ["linux", { HOME: "C:\\Users\\me", USERPROFILE: "/home/me" }],
  ["win32", { USERPROFILE: "me", HOME: "/home/me" }],
  ["win32", { USERPROFILE: "C:me" }],
])("without a home folder the launcher stores no compiled code: %s %j", (platform, variables) => {
  expect(codeFolder(platform, variables)).toBeUndefined();
  expect(codeFolder(platform, variables, "relative")).toBeUndefined();
});

test.each([
  ["linux", "/home/me", {}],
  ["linux", "/home/me", { HOME: "." }],
  ["darwin", "/Users/me", { HOME: "" }],
  ["win32", "C:\\Users\\me", { USERPROFILE: "me" }],
])("the launcher falls back to the account's home folder, like the library: %s %s", (platform, home, env) => {
  const { cache } = findOwnPaths({ platform, home, cwd: home, variables: {} });
  const { join } = platform === "win32" ? win32 : posix;
  expect(codeFolder(platform, env, home)).toBe(join(cache, "code", "v20-x64"));
});

test.each(["elsewhere", "."])("a relative PLUGBOARD_HOME gets no compiled code: %s", (given) => {
  expect(codeFolder("linux", { HOME: "/home/me", PLUGBOARD_HOME: given })).toBeUndefined();
});

test("an outdated Node gets a message with the versions that the package supports", () => {
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
