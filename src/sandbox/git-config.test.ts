import { expect, test } from "vitest";
import { readGitConfig } from "./git-config.ts";

test.each([
  ["[core]\n\thooksPath = .githooks\n", "core.hookspath", ".githooks"],
  ["[core] HooksPath=a # why", "core.hookspath", "a"],
  ['[core]\r\nhooksPath = "my hooks" ; why\r\n', "core.hookspath", "my hooks"],
  ["[core]\nhooksPath = a\\\nb\n", "core.hookspath", "ab"],
  ['[filter "a ] \\" b"]\nclean = sh \\"x y\\" "#1"\n', "filter.clean", 'sh "x y" #1'],
  ["[includeIf.old]\npath = x", "includeif.path", "x"],
])("reads %j as git does", (text, key, value) => {
  expect(readGitConfig(text)).toEqual([{ key, value }]);
});

test("skips invalid lines", () => {
  expect(readGitConfig("[core\nbare\n= x\n[a]\nb")).toEqual([]);
});
