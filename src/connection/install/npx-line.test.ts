import { describe, expect, test } from "vitest";
import { hashOf, packageName, parseNpxLine } from "./npx-line.ts";

const packagesOf = (line: string): readonly string[] | undefined => {
  const words = line.split(" ");
  const at = words.findIndex((word) => /^np[mx]$/.test(word));
  return parseNpxLine(words, at, words[at] === "npx")?.packages;
};

describe("what npx installs", () => {
  test.each([
    ["npx acme", ["acme"]],
    ["npx -y @acme/server@1.2.3 --flag", ["@acme/server@1.2.3"]],
    ["npx --yes --registry http://x acme@latest", ["acme@latest"]],
    ["npx --prefix=/ -y acme", ["acme"]],
    ["npx -p acme -p other acme", ["acme", "other"]],
    ["npx --package=acme -- program", ["acme"]],
    ["npx -y -- acme", ["acme"]],
    ["npx -y -p acme -c program", ["acme"]],
    ["npm exec --yes -- acme", ["acme"]],
    ["npm --silent x acme", ["acme"]],
    ["npm exec --package acme --call program", ["acme"]],
    ["npx github:acme/server", ["github:acme/server"]],
    ["env A=b npx acme", ["acme"]],
  ])("%s", (line, packages) => {
    expect(packagesOf(line)).toEqual(packages);
  });

  test.each([
    ["nothing", "npx"],
    ["a program of the folder", "npx ./server"],
    ["a folder", "npx file:../server"],
    ["a folder of Windows", "npx C:\\server"],
    ["a cache of its own", "npx --cache=/tmp acme"],
    ["an option that is not known", "npx --something acme"],
    ["a command line without a package", "npx -c program"],
    ["another command of npm", "npm run acme"],
  ])("is unknown for %s", (_, line) => {
    expect(packagesOf(line)).toBeUndefined();
  });

  test("does not include the server's own arguments", () => {
    const words = ["npx", "-y", "acme", "--token", "x"];
    const { end } = parseNpxLine(words, 0, true) ?? {};
    expect(words.slice(0, end)).toEqual(["npx", "-y", "acme"]);
  });
});

test("the folder has the name that npm gives it", () => {
  expect(hashOf(["@acme/tool@1.2.3"])).toBe("ee419fecb007b83e");
  expect(hashOf(["b", "a"])).toBe(hashOf(["a", "b"]));
});

test.each([
  ["acme", "acme"],
  ["acme@^1.2.3", "acme"],
  ["@acme/server@latest", "@acme/server"],
  ["github:acme/server", undefined],
  ["https://example.com/a.tgz", undefined],
])("the name of %s is %s", (spec, name) => {
  expect(packageName(spec)).toBe(name);
});
