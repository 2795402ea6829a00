import { describe, expect, test } from "vitest";
import type { ExpansionRules, PlaceholderSyntax } from "../model/index.ts";
import { expand } from "./expand.ts";

const CONTEXT = {
  variables: { NAME: "value", EMPTY: "", "A.B": "dotted" },
  home: "/home/me",
  workspaceFolder: "/repo/app",
  pathSeparator: "/",
  files: new Map([["./token.txt", "from the file"]]),
};

const filled = (text: string) => ({ text, missing: [], inputs: [], dynamic: [] });

describe("each syntax is filled in where its tool knows it, and is plain text where it does not", () => {
  test.each<[PlaceholderSyntax, string, string]>([
    ["braced", "a ${NAME} b", "a value b"],
    ["braced", "${EMPTY}", ""],
    ["default", "${NAME:-other}", "value"],
    ["default", "${GONE:-other}", "other"],
    ["default", "${GONE:-}", ""],
    ["bare", "$NAME/$NAME", "value/value"],
    ["bare", "$NAME.txt", "value.txt"],
    ["env", "${env:NAME}", "value"],
    ["curlyEnv", "{env:NAME}", "value"],
    ["curlyFile", "{file:./token.txt}", "from the file"],
    ["file", "${file:./token.txt}", "from the file"],
    ["dollarEnv", "$env:NAME", "value"],
    ["folders", "${workspaceFolder}/x", "/repo/app/x"],
    ["folders", "${workspaceFolderBasename}", "app"],
    ["folders", "${userHome}/x", "/home/me/x"],
    ["folders", "a${pathSeparator}b${/}c", "a/b/c"],
  ])("%s: %s", (syntax, text, expected) => {
    expect(expand(text, { syntaxes: [syntax], unset: "literal" }, CONTEXT)).toMatchObject(filled(expected));
    expect(expand(text, { syntaxes: [], unset: "literal" }, CONTEXT)).toMatchObject(filled(text));
  });
});

describe("what cannot be filled in is told, and never run", () => {
  test.each<[PlaceholderSyntax, string, object]>([
    ["braced", "${GONE}", { missing: ["GONE"] }],
    ["bare", "$GONE", { missing: ["GONE"] }],
    ["env", "${env:GONE}", { missing: ["GONE"] }],
    ["curlyEnv", "{env:GONE}", { missing: ["GONE"] }],
    ["dollarEnv", "$env:GONE", { missing: ["GONE"] }],
    ["file", "${file:./gone.txt}", { missing: ["file:./gone.txt"] }],
    ["curlyFile", "{file:./gone.txt}", { missing: ["file:./gone.txt"] }],
    ["input", "Bearer ${input:token}", { inputs: ["token"] }],
    ["shell", "$(cat ~/.ssh/id_rsa)", { dynamic: ["$(cat ~/.ssh/id_rsa)"] }],
    ["foreign", "${{ secrets.TOKEN }}", { missing: ["${{ secrets.TOKEN }}"] }],
    ["foreign", "{{TOKEN}}", { missing: ["{{TOKEN}}"] }],
    ["foreign", "${user_config.token}", { missing: ["${user_config.token}"] }],
  ])("%s: %s", (syntax, text, told) => {
    expect(expand(text, { syntaxes: [syntax], unset: "literal" }, CONTEXT)).toMatchObject({
      ...filled(text),
      ...told,
    });
  });
});

describe("what an unset variable gives is its tool's own rule", () => {
  const rules: ExpansionRules = { syntaxes: ["braced", "default"], unset: "literal", unsetInEnv: "empty" };

  test.each<[string, ExpansionRules, string, string, string]>([
    ["stays", { ...rules, unset: "literal" }, "args", "<${GONE}>", "<${GONE}>"],
    ["is nothing", { ...rules, unset: "empty" }, "args", "<${GONE}>", "<>"],
    ["is nothing in env alone", rules, "env.X", "<${GONE}>", "<>"],
    ["stays elsewhere", rules, "headers.X", "<${GONE}>", "<${GONE}>"],
    ["with a default is the default", rules, "args", "${GONE:-d}", "d"],
    ["that is set but empty keeps its emptiness", rules, "args", "<${EMPTY:-d}>", "<>"],
    [
      "that is set but empty counts as unset",
      { ...rules, emptyIsUnset: true },
      "args",
      "<${EMPTY:-d}>",
      "<d>",
    ],
  ])("%s", (_, given, field, text, expected) => {
    expect(expand(text, given, CONTEXT, field).text).toBe(expected);
  });
});

test("only the fields that the tool expands are touched", () => {
  const rules: ExpansionRules = { syntaxes: ["braced"], unset: "literal", fields: ["env", "headers"] };
  expect(expand("${NAME}", rules, CONTEXT, "env.TOKEN").text).toBe("value");
  expect(expand("${NAME}", rules, CONTEXT, "command").text).toBe("${NAME}");
});

test("names of the tool's own come before the environment, also where that is never asked", () => {
  const names = { NAME: "its own", ROOT: "/plugin" };
  expect(expand("${ROOT}/${NAME}", { syntaxes: ["braced"], unset: "literal", names }, CONTEXT).text).toBe(
    "/plugin/its own",
  );
  expect(expand("${ROOT}/${HOME}", { syntaxes: [], unset: "literal", names }, CONTEXT).text).toBe(
    "/plugin/${HOME}",
  );
});

test.each(["__proto__", "constructor", "toString"])("the variable %s is not set by the language", (name) => {
  const rules: ExpansionRules = { syntaxes: ["braced"], unset: "literal", names: {} };
  expect(expand(`\${${name}}`, rules, CONTEXT).missing).toEqual([name]);
});
