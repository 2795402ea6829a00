import { expect, test } from "vitest";
import { mayBecome, splitTemplate, variableIn } from "./uri-template.ts";

test.each([
  ["note://{id}", ["note://", "id", ""]],
  ["{+path*}/{?a,b}", ["", "+path*", "/", "?a,b", ""]],
  ["a{b", ["a{b"]],
  ["{a}{b", ["", "a", "{b"]],
  ["{{a}}", ["", "{a", "}"]],
  ["", [""]],
])("the template %j has the pieces %j", (template, pieces) => {
  expect(splitTemplate(template)).toEqual(pieces);
});

test.each([
  ["id", "id"],
  ["+path*", "path"],
  ["?query,page", "query"],
  ["id:3", "id"],
  ["*\n*", ""],
])("the first variable of %j is %j", (expression, name) => {
  expect(variableIn(expression)).toBe(name);
});

test.each([
  ["note://a", "note://{id}", true],
  ["no", "note://{id}", true],
  ["file://a", "note://{id}", false],
  ["anything", "{id}", true],
])("%j may become a URI of %j: %j", (uri, template, may) => {
  expect(mayBecome(uri, template)).toBe(may);
});

test.each(["{", "{*"])("a template with many %j is split in linear time", (opening) => {
  const template = opening.repeat(400_000);
  expect(splitTemplate(template)).toEqual([template]);
  expect(variableIn(`${"*".repeat(400_000)}\n`)).toBe("");
});
