import { expect, test } from "vitest";
import { findHome, isAbsolutePath } from "./home-folder.ts";

const ACCOUNT = "/home/account";

test.each([
  ["linux", { HOME: "/home/me" }, "/home/me"],
  ["linux", { HOME: "/" }, "/"],
  ["linux", { HOME: "/nonexistent" }, "/nonexistent"],
  ["linux", {}, ACCOUNT],
  ["linux", { HOME: "" }, ACCOUNT],
  ["linux", { HOME: "." }, ACCOUNT],
  ["linux", { HOME: "~" }, ACCOUNT],
  ["linux", { HOME: "home/me" }, ACCOUNT],
  ["linux", { USERPROFILE: "/home/other" }, ACCOUNT],
  ["darwin", { HOME: "/Users/me" }, "/Users/me"],
])("the home folder on %s with %j is %s", (platform, variables, home) => {
  expect(findHome(platform, variables, () => ACCOUNT)).toBe(home);
});

test.each([
  [{ USERPROFILE: "C:\\Users\\me" }, "C:\\Users\\me"],
  [{ USERPROFILE: "\\\\server\\me" }, "\\\\server\\me"],
  [{ USERPROFILE: "C:me" }, "C:\\account"],
  [{ USERPROFILE: "\\me" }, "C:\\account"],
  [{ HOME: "C:\\Users\\git-bash" }, "C:\\account"],
])("the home folder on Windows with %j is %s", (variables, home) => {
  expect(findHome("win32", variables, () => "C:\\account")).toBe(home);
});

test.each([undefined, "", ".", "home"])(
  "an account folder of %j is not used as the home folder",
  (account) => {
    expect(findHome("linux", { HOME: "." }, () => account)).toBeUndefined();
  },
);

test("the account is not looked up if the variable is absolute", () => {
  const fail = (): never => expect.fail("looked up");
  expect(findHome("linux", { HOME: "/home/me" }, fail)).toBe("/home/me");
});

test.each(["", ".", "x", "C:\\x", "C:/x", "~", "~/x"])("%j is not absolute on Linux", (path) => {
  expect(isAbsolutePath("linux", path)).toBe(false);
});
