import { expect, test } from "vitest";
import { type ExpansionRules, NATIVE_EXPANSION } from "../model/index.ts";
import { dropRelativeFolders } from "./relative-folders.ts";

const CURSOR: ExpansionRules = { syntaxes: ["env", "folders"], unset: "empty" };

test.each<[name: string, declared: string, filled: string, text: string | undefined, dropped: number]>([
  ["PATH", "${MY_BIN}:/usr/bin:/bin", ":/usr/bin:/bin", "/usr/bin:/bin", 1],
  ["PATH", "${MY_BIN:-}:/usr/bin", ":/usr/bin", "/usr/bin", 1],
  ["PATH", "/opt/bin:${PATH}", "/opt/bin:./node_modules/.bin:/usr/bin::.", "/opt/bin:/usr/bin", 3],
  ["PATH", "PATH", "./node_modules/.bin:/usr/bin", "/usr/bin", 1],
  ["PATH", "PATH", "PATH:/usr/bin", "/usr/bin", 1],
  ["PATH", "!echo a:bin", "/opt:bin", "/opt", 1],
  ["PATH", "file:./path:bin", "/opt:bin", "/opt", 1],
  ["PATH", "${MY_BIN}", "", undefined, 1],
  ["PATH", "${MY_BIN}", "bin", undefined, 1],
  ["PATH", "./bin:${PATH}", "./bin:/usr/bin", "./bin:/usr/bin", 0],
  ["PATH", "./bin:${PATH}", "./bin:bin:/usr/bin", "./bin:/usr/bin", 1],
  ["PATH", "./bin:/usr/bin", "./bin:/usr/bin", "./bin:/usr/bin", 0],
  ["PATH", "${A}bin:/usr/bin", "bin:/usr/bin", "/usr/bin", 1],
  ["PYTHONPATH", "/opt/lib:${PYTHONPATH}", "/opt/lib:", "/opt/lib", 1],
  ["LD_LIBRARY_PATH", "${LD_LIBRARY_PATH}:/opt/lib", ":/opt/lib", "/opt/lib", 1],
  ["PERL5LIB", "${A}:/opt", ":/opt", "/opt", 1],
  ["RUBYLIB", "${A}:/opt", ":/opt", "/opt", 1],
  ["CLASSPATH", "${A}:/opt/*", ":/opt/*", "/opt/*", 1],
  ["XDG_DATA_DIRS", "${A}:/usr/share", ":/usr/share", "/usr/share", 1],
  ["QT_PLUGIN_PATH", "${A}:/opt", ":/opt", "/opt", 1],
  // Not lists of code folders.
  ["DATABASE_PATH", "${DB}", "data.db", "data.db", 0],
  ["API_PATH", "https://${HOST}/v1", "https://host/v1", "https://host/v1", 0],
  ["API_PATH", "${SCHEME}://host/v1", "https://host/v1", "https://host/v1", 0],
  ["HOSTS", "${A}:b", ":b", ":b", 0],
  ["LUA_PATH", "${A};/opt/?.lua", ";/opt/?.lua", ";/opt/?.lua", 0],
])("%s=%s expanded to %j", (name, declared, filled, text, dropped) => {
  expect(dropRelativeFolders(name, { declared, filled }, NATIVE_EXPANSION, "linux")).toEqual({
    text,
    dropped,
  });
});

test("a placeholder with a colon is one part of the list", () => {
  const filled = (declared: string, text: string) =>
    dropRelativeFolders("PATH", { declared, filled: text }, CURSOR, "darwin").text;
  expect(filled("${env:PATH}:/opt/bin", "PATH}:/opt/bin")).toBe("/opt/bin");
  expect(filled("${env:MY_BIN}:/opt/bin", ":/opt/bin")).toBe("/opt/bin");
});

test("Windows uses semicolons, drive letters and case-insensitive names", () => {
  const filled = (name: string, declared: string, text: string) =>
    dropRelativeFolders(name, { declared, filled: text }, CURSOR, "win32").text;
  expect(filled("Path", "${env:A};C:\\bin", ";C:\\bin")).toBe("C:\\bin");
  expect(filled("Path", "C:\\bin;${env:A}", "C:\\bin;bin;C:x;D:\\tools")).toBe("C:\\bin;D:\\tools");
});
