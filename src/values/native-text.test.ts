import { expect, test } from "vitest";
import { type ExpansionRules, NATIVE_EXPANSION, NO_EXPANSION } from "../model/index.ts";
import { toNativeText } from "./native-text.ts";

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
  // Its own tool alone has the value.
  ["${workspaceFolder}/x", CURSOR, "args", { foreign: "${workspaceFolder}" }],
  ["{file:./x}", OPENCODE, "env.A", { foreign: "{file:./x}" }],
  ["${PLUGIN_ROOT}/x ${B}", PLUGIN, "args", { foreign: "${PLUGIN_ROOT}" }],
  ["${env:PLUGIN_ROOT}/x", { ...PLUGIN, syntaxes: ["env"] }, "args", { foreign: "${env:PLUGIN_ROOT}" }],
  ["${env:B}/x", { ...PLUGIN, syntaxes: ["env"] }, "args", { text: "${B}/x" }],
  // Plain text there would be filled in here.
  ["${B}", NO_EXPANSION, "args", { foreign: "${B}" }],
  ["${B} ${env:C}", CURSOR, "args", { foreign: "${B}" }],
  ["${B}", COPILOT, "args", { foreign: "${B}" }],
])("%j", (text, rules, field, native) => {
  expect(toNativeText(text, rules, field)).toEqual(native);
});
