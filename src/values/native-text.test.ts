import { expect, test } from "vitest";
import { type ExpansionRules, NATIVE_EXPANSION, NO_EXPANSION } from "../model/index.ts";
import { fromPlainValue, toNativeText, toPlainValue } from "./native-text.ts";

const CURSOR: ExpansionRules = { syntaxes: ["env", "folders"], unset: "empty" };
const OPENCODE: ExpansionRules = { syntaxes: ["curlyEnv", "curlyFile"], unset: "empty" };
const COPILOT: ExpansionRules = {
  syntaxes: ["default", "braced", "bare"],
  fields: ["env"],
  unset: "literal",
};
const PLUGIN: ExpansionRules = {
  syntaxes: ["braced"],
  unset: "literal",
  names: { PLUGIN_ROOT: "/plugins/one" },
};

test.each<[text: string, rules: ExpansionRules, field: string, native: object]>([
  ["plain", NATIVE_EXPANSION, "args", { text: "plain" }],
  ["a ${B} ${C:-d}", NATIVE_EXPANSION, "args", { text: "a ${B} ${C:-d}" }],
  ["$B", NATIVE_EXPANSION, "args", { text: "$B" }],
  ["a ${env:B} c", CURSOR, "args", { text: "a ${B} c" }],
  ["{env:B}", OPENCODE, "env.A", { text: "${B}" }],
  ["$B-${C:-d}", COPILOT, "env.A", { text: "${B}-${C:-d}" }],
  ["$B", COPILOT, "args", { text: "$B" }],
  ["$env:B/x", { syntaxes: ["dollarEnv"], unset: "empty" }, "args", { text: "${B}/x" }],
  // Only its own tool knows the value.
  ["${workspaceFolder}/x", CURSOR, "args", { foreign: "${workspaceFolder}" }],
  ["{file:./x}", OPENCODE, "env.A", { foreign: "{file:./x}" }],
  ["${PLUGIN_ROOT}/x ${B}", PLUGIN, "args", { foreign: "${PLUGIN_ROOT}" }],
  [
    "${PLUGIN_ROOT:-.}/x",
    { ...PLUGIN, syntaxes: ["default", "braced"] },
    "command",
    { foreign: "${PLUGIN_ROOT:-.}" },
  ],
  ["${env:PLUGIN_ROOT}/x", { ...PLUGIN, syntaxes: ["env"] }, "args", { foreign: "${env:PLUGIN_ROOT}" }],
  ["${env:B}/x", { ...PLUGIN, syntaxes: ["env"] }, "args", { text: "${B}/x" }],
  // Plain text in that tool would be expanded in a native file.
  ["${B}", NO_EXPANSION, "args", { foreign: "${B}" }],
  ["${B} ${env:C}", CURSOR, "args", { foreign: "${B}" }],
  ["${B}", COPILOT, "args", { foreign: "${B}" }],
  // A placeholder must not start in plain text and end in another placeholder.
  ["${TOKEN{env:B}", OPENCODE, "args", { foreign: "${TOKEN${B}" }],
  ["${keychain:a$B", COPILOT, "env.A", { foreign: "${keychain:a${B}" }],
  // Native files would read these as something else.
  ["!id", CURSOR, "env.A", { mistakenFor: "a command" }],
  ["keychain:a", CURSOR, "headers.A", { mistakenFor: "the name of a secret" }],
  ["file:./a", CURSOR, "env.A", { mistakenFor: "the name of a file" }],
  ["!id", CURSOR, "args", { text: "!id" }],
  ["!id", NATIVE_EXPANSION, "env.A", { text: "!id" }],
])("%j", (text, rules, field, native) => {
  expect(toNativeText(text, rules, field)).toEqual(native);
});

test.each([
  ["GITHUB_TOKEN", "${=text:-GITHUB_TOKEN}"],
  ["TOKEN", "${=text:-TOKEN}"],
  ["github_token", "${=text:-github_token}"],
  ["apiKey", "${=text:-apiKey}"],
  ["secret", "${=text:-secret}"],
  ["true", "true"],
  ["Plain", "Plain"],
  ["v1", "v1"],
  ["two words", "two words"],
  ["8080", "8080"],
  ["${TOKEN}", "${TOKEN}"],
  ["", ""],
])("the plain value %j is written as %j", (text, value) => {
  expect(toPlainValue(text, { secret: "set" })).toBe(value);
  expect(fromPlainValue(value)).toBe(text);
});
