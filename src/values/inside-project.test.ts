import { expect, test } from "vitest";
import { entryOf, PROJECT, USER } from "../../test/support/entries.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { insideProject } from "./inside-project.ts";

const environment = { platform: "linux", home: "/home/me", cwd: "/project", variables: {} };

function follow(named: string, path: string, real: string, provenance = PROJECT) {
  const files = {
    ...createMemoryFiles(),
    realPath: async (given: string) => (given === path ? real : given),
  };
  return insideProject(entryOf("a", { command: "x" }, provenance), named, path, { environment, files });
}

test.each([
  ["./a", "/project/a", "/project/a"],
  ["./a", "/project/a", "/project/other/a"],
  ["../a", "/a", "/b"],
  ["/etc/a", "/etc/a", "/etc/link"],
])("%s, which leads from %s to %s, is read", async (named, path, real) => {
  expect(await follow(named, path, real)).toHaveProperty("path");
});

test.each([
  ["./a", "/project/a", "/home/me/.ssh/id"],
  ["./a", "/project/a", "/project-2/a"],
  ["/project/a", "/project/a", "/home/me/.ssh/id"],
])("%s, which leads from %s to %s, is not read", async (named, path, real) => {
  expect(await follow(named, path, real)).toEqual({ leadsTo: real });
});

test("a path that leaves the project as written stays in the folder that it names", async () => {
  const nested = { ...environment, cwd: "/srv/repo/pkg" };
  const files = (real: string) => ({
    ...createMemoryFiles(),
    realPath: async (path: string) => (path === "/srv/repo/.env" ? real : path),
  });
  const entry = entryOf("a", { command: "x" }, PROJECT);
  const at = (real: string) =>
    insideProject(entry, "../.env", "/srv/repo/.env", { environment: nested, files: files(real) });
  expect(await at("/srv/repo/config/.env")).toEqual({ path: "/srv/repo/config/.env" });
  expect(await at("/srv/other/.env")).toEqual({ leadsTo: "/srv/other/.env" });
});

test("the user's own entry may name any link", async () => {
  expect(await follow("./a", "/project/a", "/etc/a", USER)).toEqual({ path: "/project/a" });
});
