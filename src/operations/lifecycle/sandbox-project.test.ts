import { expect, test } from "vitest";
import { isProjectFolder } from "./sandbox-project.ts";

const REPOSITORIES = ["/home/me/.dotfiles", "/home/me/.config", "/home/me/.config/editor", "/home/me/app"];
const files = {
  present: async (paths: readonly string[]) =>
    new Set(paths.filter((path) => REPOSITORIES.some((folder) => path === `${folder}/.git`))),
};

test.each([
  "/",
  "/etc",
  "/etc/app",
  "/proc/1/root",
  "/run/user/1000",
  "/usr",
  "/usr/bin",
  "/var/run",
  "/private/var/db",
  "/tmp",
  "/home",
  "/home/me",
  "/home/me/.ssh",
  "/home/me/.config",
  "/home/me/.local/share",
  "/home/me/.unknown",
  "/home/me/Library/Mail",
])("a sandboxed server does not work in %s", async (folder) => {
  expect(await isProjectFolder(files, folder, "/home/me")).toBe(false);
});

test.each([
  "/home/me/app",
  "/home/me/.dotfiles",
  "/home/me/.config/editor",
  "/home/you/.notes",
  "/tmp/build",
  "/usr/src/app",
  "/srv/app",
  "/var/www/app",
  "/opt/app",
  "/work",
])("a sandboxed server may work in %s", async (folder) => {
  expect(await isProjectFolder(files, folder, "/home/me")).toBe(true);
});

test("the folder of a user without a home folder is judged by the system's folders", async () => {
  expect(await isProjectFolder(files, "/srv/app", undefined)).toBe(true);
  expect(await isProjectFolder(files, "/etc", undefined)).toBe(false);
});
