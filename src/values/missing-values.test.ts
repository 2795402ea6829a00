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
const remote = (rest: Partial<Exclude<Launch, { transport: "stdio" }>> = {}): Launch => ({
  transport: "http",
  url: "https://x.test",
  headers: {},
  ...rest,
});

test.each<[string, Launch, ExpansionRules, object[]]>([
  ["nothing, when all is set", local({ args: ["${SET}"] }), NATIVE_EXPANSION, []],
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
    "a question",
    local({ env: { A: "${input:key}" } }),
    EVERYTHING,
    [{ field: "env.A", kind: "input", name: "key" }],
  ],
  ["a command", local({ args: ["$(id)"] }), EVERYTHING, [{ field: "args", kind: "command", name: "$(id)" }]],
  [
    "all of a text",
    local({ env: { A: "$(id) ${input:key} ${GONE}" } }),
    EVERYTHING,
    [
      { field: "env.A", kind: "variable", name: "GONE" },
      { field: "env.A", kind: "input", name: "key" },
      { field: "env.A", kind: "command", name: "$(id)" },
    ],
  ],
  ["not a stored secret, which is looked up later", local({ env: { A: "${keychain:k}" } }), EVERYTHING, []],
  [
    "a stored secret where none is given",
    local({ args: ["${keychain:k}"] }),
    EVERYTHING,
    [{ field: "args", kind: "variable", name: "keychain:k" }],
  ],
  [
    "not what only its source can tell",
    local({ env: { A: "!echo ${GONE}", B: "file:${GONE}" } }),
    NATIVE_EXPANSION,
    [],
  ],
  [
    "not what only its source can tell, in a header",
    remote({ headers: { A: "!echo ${GONE}" } }),
    NATIVE_EXPANSION,
    [],
  ],
  [
    "what looks like a source in another field",
    local({ args: ["!echo ${GONE}"] }),
    NATIVE_EXPANSION,
    [{ field: "args", kind: "variable", name: "GONE" }],
  ],
  [
    "what looks like a source in a file without sources",
    local({ env: { A: "!echo ${GONE}" } }),
    EVERYTHING,
    [{ field: "env.A", kind: "variable", name: "GONE" }],
  ],
  [
    "a variable that a header is taken from, empty or not set, after the texts",
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
])("what the environment does not fill in is %s", (_, launch, rules, missing) => {
  expect(findMissingValues(launch, rules, ENVIRONMENT)).toEqual(missing);
});
