import { describe, expect, test } from "vitest";
import type { JsonObject } from "../model/index.ts";
import { findLiteralSecrets, isPlain } from "./literal-secrets.ts";

const fieldsIn = (entry: JsonObject, secretValues?: boolean): string[] =>
  findLiteralSecrets(entry, { secretValues }).map(({ field }) => field);

describe("plain-text secrets", () => {
  test.each<[string, JsonObject, string[]]>([
    ["a variable with a secret name", { env: { API_KEY: "abc", REGION: "eu" } }, ["env.API_KEY"]],
    ["a variable with a secret format", { env: { X: "ghp_0123456789abcdefghij" } }, ["env.X"]],
    ["a secret in JSON", { env: { CONFIG: '{"api_key": "abc"}' } }, ["env.CONFIG"]],
    ["a password in a connection string", { env: { DB: "Server=x;Password=abc" } }, ["env.DB"]],
    ["a header", { headers: { Authorization: "Bearer 0123456789" } }, ["headers.Authorization"]],
    ["a custom header", { headers: { "X-Api-Key": "abc" } }, ["headers.X-Api-Key"]],
    ["a password in an env URL", { env: { DATABASE: "postgres://me:pw@host/db" } }, ["env.DATABASE"]],
    ["a password in the URL", { url: "https://me:pw@host/mcp" }, ["url"]],
    ["a parameter of the URL", { url: "https://host/mcp?api_key=abc" }, ["url"]],
    ["an argument after its flag", { args: ["--token", "abc"] }, ["args[1]"]],
    ["an argument with its flag", { args: ["x", "--api-key=abc"] }, ["args[1]"]],
    ["a URL among the arguments", { args: ["postgres://me:pw@host/db"] }, ["args[0]"]],
    ["an argument after a number", { args: [1, null, "--token", "abc"] }, ["args[3]"]],
    ["a nested secret", { oauth: { idp: { clientId: "c", idToken: "abc" } } }, ["oauth.idp.idToken"]],
    ["the client's secret", { oauth: { clientId: "c", clientSecret: "s" } }, ["oauth.clientSecret"]],
    ["a default that is a secret", { env: { API_KEY: "${KEY:-abc}" } }, ["env.API_KEY"]],
    [
      "a secret after a variable",
      { headers: { Authorization: "Bearer ${A}0123456789abc" } },
      ["headers.Authorization"],
    ],
  ])("%s", (_, entry, found) => {
    expect(fieldsIn(entry)).toEqual(found);
  });

  test.each<[string, JsonObject]>([
    ["a variable's placeholder", { env: { API_KEY: "${API_KEY}" } }],
    ["a placeholder after a word", { headers: { Authorization: "Bearer ${TOKEN}" } }],
    ["a stored secret inside a string", { headers: { Authorization: "Bearer ${keychain:work/token}" } }],
    ["a placeholder in a URL", { url: "https://me:${PASSWORD}@host/mcp?api_key=${KEY}" }],
    ["a placeholder in an argument", { args: ["--token", "${TOKEN}", "--api-key=${KEY}"] }],
    [
      "plain settings",
      { env: { REGION: "eu", DEBUG: "1" }, args: ["--port", "80"], url: "https://host/mcp" },
    ],
    ["an empty value", { env: { API_KEY: "" } }],
    ["an empty text or a number after a flag", { args: ["--token", "", "--api-key", 5] }],
    ["values that are not strings", { env: { API_KEY: 5 }, args: [1], headers: [], oauth: true }],
  ])("%s is not a secret", (_, entry) => {
    expect(fieldsIn(entry)).toEqual([]);
  });

  test.each(["keychain:name", "file:~/key", "!pass show key", "GITHUB_TOKEN"])(
    "%s is a reference in formats that support it, and plain text in others",
    (value) => {
      expect(fieldsIn({ env: { API_KEY: value } }, true)).toEqual([]);
      expect(fieldsIn({ env: { API_KEY: value } })).toEqual(["env.API_KEY"]);
    },
  );

  test.each(["AKIAIOSFODNN7EXAMPLE", "A1B2C3D4", "hunter2"])(
    "%s is not read as a variable's name",
    (value) => {
      expect(fieldsIn({ env: { API_KEY: value } }, true)).toEqual(["env.API_KEY"]);
    },
  );
});

test("a secret in env, headers or oauth has its member and value, so that it can be moved", () => {
  const entry = { env: { API_KEY: "abc" }, oauth: { clientSecret: "s" }, args: ["--token", "x"] };
  expect(findLiteralSecrets(entry, {})).toEqual([
    { field: "env.API_KEY", member: { map: "env", key: "API_KEY", value: "abc" } },
    { field: "oauth.clientSecret", member: { map: "oauth", key: "clientSecret", value: "s" } },
    { field: "args[1]" },
  ]);
});

test("sign-in settings do not support references", () => {
  expect(fieldsIn({ oauth: { clientSecret: "GITHUB_TOKEN" } }, true)).toEqual(["oauth.clientSecret"]);
});

test.each([
  ["plain", true],
  ["", true],
  ["${A}", false],
  ["Bearer ${A}", false],
  ["key=${A}", false],
  ["${A}secret1", true],
  ["${keychain:a}", false],
  ["${A:-secret}", true],
  ["https://me:${A}@host/", false],
  ["https://me:secret@host/${A}", true],
])("%j contains more than references: %s", (text, expected) => {
  expect(isPlain(text)).toBe(expected);
});

test("a long sequence of unterminated placeholders is read in linear time", () => {
  expect(isPlain("${A".repeat(300_000))).toBe(true);
  expect(isPlain("${keychain:".repeat(90_000))).toBe(true);
});
