import { expect, test } from "vitest";
import { NATIVE_EXPANSION } from "../model/index.ts";
import { expandForDisplay, expansionContext } from "./expansion-context.ts";

const variables = {
  PWD: "/project/below",
  Init_Cwd: "/somewhere",
  HERE: "/project/below",
  OTHER: "/project",
  OLDPWD: "/before",
  UNSET: undefined,
};
const environment = { platform: "linux", home: "/home/me", cwd: "/project/below", variables };
const declared = { expansion: NATIVE_EXPANSION };

test("in a project's entry, variables with the working folder get the project folder", () => {
  const context = expansionContext(environment, { ...declared, projectFolder: "/project" });
  expect(context.variables).toStrictEqual({
    PWD: "/project",
    Init_Cwd: "/project",
    HERE: "/project",
    OTHER: "/project",
    OLDPWD: "/before",
    UNSET: undefined,
  });
});

test("in other entries, variables are unchanged", () => {
  expect(expansionContext(environment, declared).variables).toBe(variables);
});

test("an unset working folder variable stays unset", () => {
  const unset = { ...environment, variables: { PWD: undefined } };
  const context = expansionContext(unset, { ...declared, projectFolder: "/project" });
  expect(context.variables).toStrictEqual({ PWD: undefined });
});

test("the workspace is the working folder unless the rules set another", () => {
  const named = { expansion: { ...NATIVE_EXPANSION, workspaceFolder: "/workspace" } };
  expect(expansionContext(environment, declared).workspaceFolder).toBe("/project/below");
  expect(expansionContext(environment, named).workspaceFolder).toBe("/workspace");
});

test.each([
  ["linux", "/"],
  ["darwin", "/"],
  ["win32", "\\"],
])("the path separator on %s is %s", (platform, separator) => {
  expect(expansionContext({ ...environment, platform }, declared).pathSeparator).toBe(separator);
});

test("only folder variables are displayed", () => {
  expect(expandForDisplay("args", "${PWD} ${HERE}", declared, environment)).toMatchObject({
    text: "/project/below /project/below",
    shown: "/project/below ${HERE}",
  });
});
