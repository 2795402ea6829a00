import { expect, test } from "vitest";
import type { CommandOutput } from "./value-commands.ts";
import { readSource, sourceOf, variableValue } from "./value-source.ts";

test.each([
  ["!pass show key", { kind: "command", name: "pass show key" }],
  ["!  pass  ", { kind: "command", name: "pass" }],
  ["keychain:work/token", { kind: "keychain", name: "work/token" }],
  ["keychain: work ", { kind: "keychain", name: "work" }],
  ["file:~/key", { kind: "file", name: "~/key" }],
  ["file: ./key ", { kind: "file", name: "./key" }],
  ["file:/abs", { kind: "file", name: "/abs" }],
  ["file:///abs", undefined],
  ["keychain://x", undefined],
  ["file:", undefined],
  ["keychain:", undefined],
  ["Keychain:x", undefined],
  ["my file:x", undefined],
  ["plain!", undefined],
  ["", undefined],
])("the source of %j is %j", (value, source) => {
  expect(sourceOf(value)).toEqual(source);
});

test.each([
  ["NAME", "value"],
  ["_x1", "low"],
  ["EMPTY", undefined],
  ["GONE", undefined],
  ["toString", undefined],
  ["A-B", undefined],
  ["1A", undefined],
])("the variable %s has the value %j", (name, value) => {
  const variables = { NAME: "value", _x1: "low", EMPTY: "", "A-B": "no name", "1A": "no name" };
  expect(variableValue(name, variables)).toBe(value);
});

const ask = (kind: "command" | "keychain" | "file", answer: { text?: string; failed?: string }) =>
  readSource(
    { kind, name: "n" },
    {
      commands: {
        value: async (command) => ({ ...answer, command }) as unknown as CommandOutput,
        fresh: () => Promise.reject(new Error("value commands must not use fresh()")),
      },
      secret: async (name) => (kind === "keychain" && name === "n" ? answer.text : "wrong"),
    },
    "/home/me",
    async (path) => (kind === "file" && path === "n" ? (answer as CommandOutput) : { text: "wrong" }),
  );

test.each<["command" | "keychain" | "file"]>([["command"], ["keychain"], ["file"]])(
  "a value comes from its source: %s",
  async (kind) => {
    expect(await ask(kind, { text: "value" })).toMatchObject({ text: "value" });
  },
);

test.each<["command" | "keychain" | "file", { text?: string; failed?: string }, string]>([
  ["command", { failed: "printed nothing" }, "is the output of a command that printed nothing"],
  ["keychain", {}, 'needs the secret "n", which is not stored'],
  ["keychain", { text: "" }, 'needs the secret "n", which is not stored'],
  ["file", { failed: "needs the file n, which is a folder" }, "needs the file n, which is a folder"],
  ["file", { text: "" }, "needs the file n, which cannot be read"],
])("a %s without a value (%j) is reported", async (kind, answer, failed) => {
  expect(await ask(kind, answer)).toEqual({ failed });
});
