import { expect, test } from "vitest";
import { type ExpansionRules, type Launch, NATIVE_EXPANSION } from "../model/index.ts";
import { findMissingValues } from "./missing-values.ts";

const ENVIRONMENT = {
  platform: "linux",
  home: "/home/me",
  cwd: "/repo",
  variables: { SET: "value", EMPTY: "" },
};
const EVERYTHING: ExpansionRules = {
  syntaxes: ["braced", "input", "shell", "file", "keychain"],
  unset: "literal",
};
const local = (rest: Partial<Extract<Launch, { transport: "stdio" }>> = {}): Launch => ({
  transport: "stdio",
  command: "node",
  args: [],
  env: {},
  ...rest,
});
const remote = (rest: Partial<Extract<Launch, { transport: "http" | "sse" }>> = {}): Launch => ({
  transport: "http",
  url: "https://x.test",
  headers: {},
  ...rest,
});

test.each<[string, Launch, ExpansionRules, object[]]>([
  ["nothing, if all variables are set", local({ args: ["${SET}"] }), NATIVE_EXPANSION, []],
  [
    "a variable",
    local({ args: ["${GONE}"] }),
    NATIVE_EXPANSION,
    [{ field: "args", kind: "variable", name: "GONE" }],
  ],
  [
    "a file",
    local({ env: { A: "${file:./a}" } }),
    EVERYTHING,
    [{ field: "env.A", kind: "file", name: "./a" }],
  ],
  [
    "an input",
    local({ env: { A: "${input:key}" } }),
    EVERYTHING,
    [{ field: "env.A", kind: "input", name: "key" }],
  ],
  ["a command", local({ args: ["$(id)"] }), EVERYTHING, [{ field: "args", kind: "command", name: "$(id)" }]],
  [
    "all placeholders of a string",
    local({ env: { A: "$(id) ${input:key} ${GONE}" } }),
    EVERYTHING,
    [
      { field: "env.A", kind: "variable", name: "GONE" },
      { field: "env.A", kind: "input", name: "key" },
      { field: "env.A", kind: "command", name: "$(id)" },
    ],
  ],
  ["not a stored secret, which is read later", local({ env: { A: "${keychain:k}" } }), EVERYTHING, []],
  [
    "a stored secret in a field that does not support it",
    local({ args: ["${keychain:k}"] }),
    EVERYTHING,
    [{ field: "args", kind: "variable", name: "keychain:k" }],
  ],
  [
    "not a value from a source",
    local({ env: { A: "!echo ${GONE}", B: "file:${GONE}" } }),
    NATIVE_EXPANSION,
    [],
  ],
  ["not a header from a source", remote({ headers: { A: "!echo ${GONE}" } }), NATIVE_EXPANSION, []],
  [
    "a placeholder that looks like a source in another field",
    local({ args: ["!echo ${GONE}"] }),
    NATIVE_EXPANSION,
    [{ field: "args", kind: "variable", name: "GONE" }],
  ],
  [
    "a placeholder that looks like a source in a file without sources",
    local({ env: { A: "!echo ${GONE}" } }),
    EVERYTHING,
    [{ field: "env.A", kind: "variable", name: "GONE" }],
  ],
  [
    "empty or unset header variables, after the strings",
    remote({
      url: "https://${HOST}",
      headersFromEnv: {
        A: { variable: "GONE", prefix: "Bearer " },
        B: { variable: "SET", prefix: "" },
        C: { variable: "EMPTY", prefix: "" },
      },
    }),
    NATIVE_EXPANSION,
    [
      { field: "url", kind: "variable", name: "HOST" },
      { field: "headers.A", kind: "variable", name: "GONE" },
      { field: "headers.C", kind: "variable", name: "EMPTY" },
    ],
  ],
])("missing values are found: %s", (_, launch, rules, missing) => {
  expect(findMissingValues(launch, rules, ENVIRONMENT)).toEqual(missing);
});
