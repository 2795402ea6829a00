import { expect, test } from "vitest";
import { entryOf, PROJECT, USER } from "../../test/support/entries.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { declaringFolder, describeOutsideLink, resolveInsideProject } from "./inside-project.ts";

const environment = { platform: "linux", home: "/home/me", cwd: "/project", variables: {} };

function follow(named: string, path: string, real: string, provenance = PROJECT) {
  const files = {
    ...createMemoryFiles(),
    realPath: async (given: string) => (given === path ? real : given),
  };
  return resolveInsideProject(entryOf("a", { command: "x" }, provenance), named, path, {
    environment,
    files,
  });
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

test("a path that leaves the project as written must stay in that folder", async () => {
  const nested = { ...environment, cwd: "/srv/repo/pkg" };
  const files = (real: string) => ({
    ...createMemoryFiles(),
    realPath: async (path: string) => (path === "/srv/repo/.env" ? real : path),
  });
  const entry = entryOf("a", { command: "x" }, PROJECT);
  const at = (real: string) =>
    resolveInsideProject(entry, "../.env", "/srv/repo/.env", { environment: nested, files: files(real) });
  expect(await at("/srv/repo/config/.env")).toEqual({ path: "/srv/repo/config/.env" });
  expect(await at("/srv/other/.env")).toEqual({ leadsTo: "/srv/other/.env" });
});

test("links in the project's own path are followed, too", async () => {
  const files = {
    ...createMemoryFiles(),
    realPath: async (path: string) => path.replace(/^\/project/, "/real/project"),
  };
  const entry = entryOf("a", { command: "x" }, PROJECT);
  const found = resolveInsideProject(entry, "./a", "/project/a", { environment, files });
  expect(await found).toEqual({ path: "/real/project/a" });
});

test("an absolute path outside the project is read as it is written", async () => {
  expect(await follow("/etc/a", "/etc/a", "/etc/link")).toEqual({ path: "/etc/a" });
  expect(await follow("/project-2/a", "/project-2/a", "/etc/a")).toEqual({ path: "/project-2/a" });
});

test("relative paths start in the project's folder, else the base folder, else the working folder", () => {
  const folderOf = (projectFolder?: string, baseFolder?: string) => {
    const { declaration } = entryOf("a", { command: "x" }, USER);
    const expansion = { ...declaration.expansion, ...(baseFolder !== undefined && { baseFolder }) };
    const folders = { expansion, ...(projectFolder !== undefined && { projectFolder }) };
    return declaringFolder({ declaration: { ...declaration, ...folders } }, { cwd: "/cwd" });
  };
  expect([folderOf("/p", "/b"), folderOf(undefined, "/b"), folderOf()]).toEqual(["/p", "/b", "/cwd"]);
});

test("the message contains the link's target and a solution", () => {
  expect(describeOutsideLink("/etc/a")).toBe(
    "which links to /etc/a, outside the project, so it is not read: use the absolute path of that file",
  );
});

test("the user's own entry may use any link", async () => {
  expect(await follow("./a", "/project/a", "/etc/a", USER)).toEqual({ path: "/project/a" });
});
