import { expect, test } from "vitest";
import { NATIVE_EXPANSION } from "../model/index.ts";
import { expand } from "./expand.ts";
import { expansionContext } from "./expansion-context.ts";
import { isFolderVariable } from "./folder-variables.ts";

test.each([
  ["HOME", "linux", true],
  ["XDG_CONFIG_HOME", "darwin", true],
  ["USERPROFILE", "win32", true],
  ["UserProfile", "win32", true],
  ["ProgramFiles(x86)", "win32", true],
  ["home", "linux", false],
  ["HOME_TOKEN", "linux", false],
  ["GITHUB_TOKEN", "win32", false],
  ["PORT", "linux", false],
])("%s is displayed on %s: %s", (name, platform, expected) => {
  expect(isFolderVariable(name, platform)).toBe(expected);
});

test.each([
  ["${HOME}/x", "/home/me/x", "/home/me/x", []],
  ["a ${AREA} b ${HOME} c ${AREA}", "a 42 b /home/me c 42", "a ${AREA} b /home/me c ${AREA}", ["42", "42"]],
  ["${AREA:-other}", "42", "${AREA}", ["42"]],
  ["${GONE:-other}", "other", "other", []],
  ["${GONE}", "${GONE}", "${GONE}", []],
  ["<${EMPTY}>", "<>", "<${EMPTY}>", []],
])("%s is displayed with placeholders instead of hidden values", (text, filled, shown, hidden) => {
  const variables = { HOME: "/home/me", AREA: "42", EMPTY: "" };
  const environment = { platform: "linux", home: "/home/me", cwd: "/repo", variables };
  const context = expansionContext(environment, { expansion: NATIVE_EXPANSION });
  expect(expand(text, NATIVE_EXPANSION, context)).toMatchObject({ text: filled, shown, hidden });
});
