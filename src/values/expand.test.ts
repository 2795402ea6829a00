import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ExpansionRules, NATIVE_EXPANSION, type PlaceholderSyntax } from "../model/index.ts";
import { expand, placeholdersIn, type Expanded as Whole } from "./expand.ts";

type Expanded = Omit<Whole, "shown" | "hidden">;

function expandNative(text: string, variables: Record<string, string | undefined> = {}): Expanded {
  const {
    shown: _,
    hidden: __,
    ...expanded
  } = expand(text, NATIVE_EXPANSION, {
    variables,
    home: "/home/me",
    workspaceFolder: "/repo",
    pathSeparator: "/",
  });
  return expanded;
}
const filled = (text: string): Expanded => ({ text, missing: [], inputs: [], dynamic: [] });

describe("placeholders of native files", () => {
  test.each([
    ["a variable", "${NAME}", { NAME: "value" }, "value"],
    ["a variable inside text", "Bearer ${A}-${B}!", { A: "1", B: "2" }, "Bearer 1-2!"],
    ["an empty variable", "<${NAME}>", { NAME: "" }, "<>"],
    ["a default that is not needed", "${NAME:-other}", { NAME: "value" }, "value"],
    ["a default for an unset variable", "${NAME:-other}", {}, "other"],
    ["a default for an empty variable", "${NAME:-other}", { NAME: "" }, "other"],
    ["an empty default", "<${NAME:-}>", {}, "<>"],
    ["a default with a colon and a dash", "${NAME:-a:-b}", {}, "a:-b"],
    ["a name that is special in JavaScript", "${constructor:-no}", {}, "no"],
  ])("are expanded: %s", (_, text, variables, expected) => {
    expect(expandNative(text, variables)).toStrictEqual(filled(expected));
  });

  test.each([
    ["a variable that is not set", "a ${NAME} b", "NAME"],
    ["a name that is special in JavaScript", "${__proto__}", "__proto__"],
    ["another tool's syntax", "${input:token}", "input:token"],
    ["a default inside a default", "${A:-${B}}", "A:-${B"],
    ["no name", "${}", ""],
  ])("stay as written and are reported if they cannot be expanded: %s", (_, text, name) => {
    expect(expandNative(text, { B: "set" })).toStrictEqual({ ...filled(text), missing: [name] });
  });

  test.each(["plain", "$NAME", "$(whoami)", "{env:NAME}", "${NAME", "NAME}", "$$", "%NAME%"])(
    "do not include other syntaxes: %s",
    (text) => {
      expect(expandNative(text, { NAME: "value" })).toStrictEqual(filled(text));
    },
  );

  test("are expanded once: a value is never expanded again", () => {
    expect(expandNative("${A}", { A: "${B} $& $1 ${A}", B: "no" })).toStrictEqual(filled("${B} $& $1 ${A}"));
  });

  test("leave all other text unchanged", () => {
    const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,10}$/);
    const around = fc.string().filter((text) => !/[${}]/.test(text));
    fc.assert(
      fc.property(around, name, fc.string(), around, (before, variable, value, after) => {
        const text = `${before}\${${variable}}${after}\${${variable}:-d}`;
        const byDefault = value === "" ? "d" : value;
        expect(expandNative(text, { [variable]: value })).toStrictEqual(
          filled(`${before}${value}${after}${byDefault}`),
        );
      }),
    );
  });

  test("a complete text contains no placeholders of the file", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("${", "}", "A", ":-", "$", "{", "x")), (pieces) => {
        const { text, missing } = expandNative(pieces.join(""), { A: "value" });
        if (missing.length === 0) expect(text).not.toMatch(/\$\{[^{}$]*\}/);
      }),
    );
  });
});

describe("long hostile text is read in linear time", () => {
  const SYNTAXES: readonly (readonly PlaceholderSyntax[])[] = [
    ["env", "folders", "input"],
    ["env", "file"],
    ["braced", "default", "keychain"],
    ["shell", "default", "braced", "bare"],
    ["foreign"],
    ["braced", "foreign"],
    ["curlyEnv", "curlyFile"],
  ];
  const PIECES = [
    "${env:",
    "${",
    "${a",
    "${a:",
    "${a:-",
    "{{",
    "${{",
    "$(",
    "${input:",
    "${file:",
    "${keychain:",
    "${user_config.",
    "{env:",
    "{file:",
    "$a",
  ];
  test.each(PIECES)("%s", (piece) => {
    for (const syntaxes of SYNTAXES)
      for (const tail of ["", "}", ")", "})", ")}", ":-${}"]) {
        const text = piece.repeat(100_000 / piece.length) + tail;
        const rules: ExpansionRules = { syntaxes, unset: "literal" };
        const context = { variables: {}, home: undefined, workspaceFolder: "/w", pathSeparator: "/" };
        expect(expand(text, rules, context).text.length).toBe(text.length);
        placeholdersIn(text, rules);
      }
  });
});

test("a default of several megabytes is expanded", () => {
  const fallback = "x$".repeat(5_000_000);
  expect(expandNative(`\${A:-${fallback}}`).text.length).toBe(fallback.length);
});
