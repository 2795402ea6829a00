import { describe, expect, test } from "vitest";
import type { ExpansionRules, PlaceholderSyntax } from "../model/index.ts";
import { expand, placeholdersIn } from "./expand.ts";

const CONTEXT = {
  variables: { NAME: "value", EMPTY: "", "A.B": "dotted" },
  home: "/home/me",
  workspaceFolder: "/repo/app",
  pathSeparator: "/",
  files: new Map([["./token.txt", "from the file"]]),
};

const filled = (text: string) => ({ text, missing: [], inputs: [], dynamic: [] });

describe("each syntax is expanded if its tool supports it, else it is plain text", () => {
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

describe("unresolved placeholders are reported and never run", () => {
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
  ])("%s: %s", (syntax, text, problems) => {
    expect(expand(text, { syntaxes: [syntax], unset: "literal" }, CONTEXT)).toMatchObject({
      ...filled(text),
      ...problems,
    });
  });
});

describe("an unset variable is expanded by its tool's rule", () => {
  const rules: ExpansionRules = { syntaxes: ["braced", "default"], unset: "literal", unsetInEnv: "empty" };

  test.each<[string, ExpansionRules, string, string, string]>([
    ["stays", { ...rules, unset: "literal" }, "args", "<${GONE}>", "<${GONE}>"],
    ["is empty", { ...rules, unset: "empty" }, "args", "<${GONE}>", "<>"],
    ["is empty only in env", rules, "env.X", "<${GONE}>", "<>"],
    ["stays elsewhere", rules, "headers.X", "<${GONE}>", "<${GONE}>"],
    ["with a default is the default", rules, "args", "${GONE:-d}", "d"],
    ["that is set but empty stays empty", rules, "args", "<${EMPTY:-d}>", "<>"],
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

test("only the fields that the tool expands are changed", () => {
  const rules: ExpansionRules = { syntaxes: ["braced"], unset: "literal", fields: ["env", "headers"] };
  expect(expand("${NAME}", rules, CONTEXT, "env.TOKEN").text).toBe("value");
  expect(expand("${NAME}", rules, CONTEXT, "command").text).toBe("${NAME}");
});

test("the tool's own names take precedence over the environment, even if it is not used", () => {
  const names = { NAME: "its own", ROOT: "/plugin" };
  expect(expand("${ROOT}/${NAME}", { syntaxes: ["braced"], unset: "literal", names }, CONTEXT).text).toBe(
    "/plugin/its own",
  );
  expect(expand("${ROOT}/${HOME}", { syntaxes: [], unset: "literal", names }, CONTEXT).text).toBe(
    "/plugin/${HOME}",
  );
});

test.each(["__proto__", "constructor", "toString"])(
  "the variable %s is not read from the prototype",
  (name) => {
    const rules: ExpansionRules = { syntaxes: ["braced"], unset: "literal", names: {} };
    expect(expand(`\${${name}}`, rules, CONTEXT).missing).toStrictEqual([name]);
  },
);

test("an unknown home folder is reported like an unset variable", () => {
  const rules: ExpansionRules = { syntaxes: ["folders"], unset: "empty" };
  const text = "${userHome}/x ${workspaceFolder}";
  expect(expand(text, rules, { ...CONTEXT, home: undefined })).toMatchObject({
    text: "${userHome}/x /repo/app",
    missing: ["userHome"],
  });
});

test.each([
  ["/repo/app/", "app"],
  ["C:\\work\\app", "app"],
  ["app", "app"],
  ["/", ""],
])("the name of the folder %s is %j", (workspaceFolder, name) => {
  const rules: ExpansionRules = { syntaxes: ["folders"], unset: "literal" };
  expect(expand("<${workspaceFolderBasename}>", rules, { ...CONTEXT, workspaceFolder }).text).toBe(
    `<${name}>`,
  );
});

test.each<[PlaceholderSyntax, string, string]>([
  ["braced", "a ${NAME} b", "value"],
  ["env", "a ${env:NAME} b", "value"],
  ["bare", "a $NAME b", "value"],
  ["curlyEnv", "a {env:NAME} b", "value"],
  ["dollarEnv", "a $env:NAME b", "value"],
  ["file", "a ${file:./token.txt} b", "from the file"],
  ["curlyFile", "a {file:./token.txt} b", "from the file"],
])("a hidden value is displayed as the written placeholder: %s", (syntax, text, value) => {
  expect(expand(text, { syntaxes: [syntax], unset: "literal" }, CONTEXT)).toMatchObject({
    text: `a ${value} b`,
    shown: text,
    hidden: [value],
  });
});

test("values of the tool's own names are displayed and may contain any characters", () => {
  const names = { "a.b": "its own", NAME: "its name" };
  const rules: ExpansionRules = { syntaxes: ["env"], unset: "literal", names };
  expect(expand("${a.b} ${axb} ${env:NAME}", rules, CONTEXT)).toMatchObject({
    text: "its own ${axb} its name",
    shown: "its own ${axb} its name",
    hidden: [],
  });
});

test("a variable whose value is undefined is not set", () => {
  const rules: ExpansionRules = { syntaxes: ["braced"], unset: "literal" };
  expect(expand("${A}", rules, { ...CONTEXT, variables: { A: undefined } }).missing).toStrictEqual(["A"]);
});

describe("a stored secret", () => {
  const rules: ExpansionRules = { syntaxes: ["keychain"], unset: "literal" };
  const context = { ...CONTEXT, secrets: new Map([["work/token", "s3cret"]]) };
  const text = "Bearer ${keychain:work/token}";

  test.each(["env.A", "headers.A", "oauth.clientSecret", "env", "headers", "oauth"])(
    "is available in %s",
    (field) => {
      expect(expand(text, rules, context, field)).toMatchObject({
        text: "Bearer s3cret",
        shown: text,
        hidden: ["s3cret"],
        missing: [],
      });
    },
  );

  test.each(["args", "url", "command", "envFile", "cwd", "", "x.env.A"])(
    "is not available in %j",
    (field) => {
      expect(expand(text, rules, context, field)).toMatchObject({ text, missing: ["keychain:work/token"] });
    },
  );
});

test.each<[string, ExpansionRules, object[]]>([
  [
    "x ${A} ${B:-c}",
    { syntaxes: ["braced", "default"], unset: "literal" },
    [
      { whole: "${A}", index: 2, variable: "A" },
      { whole: "${B:-c}", index: 7 },
    ],
  ],
  ["${env:A}", { syntaxes: ["env"], unset: "literal" }, [{ whole: "${env:A}", index: 0, variable: "A" }]],
  ["{env:A}", { syntaxes: ["curlyEnv"], unset: "literal" }, [{ whole: "{env:A}", index: 0, variable: "A" }]],
  ["$env:A", { syntaxes: ["dollarEnv"], unset: "literal" }, [{ whole: "$env:A", index: 0, variable: "A" }]],
  ["$A", { syntaxes: ["bare"], unset: "literal" }, [{ whole: "$A", index: 0, variable: "A" }]],
  ["${file:a}", { syntaxes: ["file"], unset: "literal" }, [{ whole: "${file:a}", index: 0, file: "a" }]],
  ["{file:a}", { syntaxes: ["curlyFile"], unset: "literal" }, [{ whole: "{file:a}", index: 0, file: "a" }]],
  [
    "${keychain:a}",
    { syntaxes: ["keychain"], unset: "literal" },
    [{ whole: "${keychain:a}", index: 0, secret: "a" }],
  ],
  ["${A}", { syntaxes: [], unset: "literal" }, []],
  ["${A}", { syntaxes: [], unset: "literal", names: { A: "1" } }, [{ whole: "${A}", index: 0 }]],
])("the placeholders of %s are found with the rules %j", (text, rules, expected) => {
  expect(placeholdersIn(text, rules)).toStrictEqual(expected);
});
