import { expect, test } from "vitest";
import { readExplanation } from "./read-explanation.ts";

const json = (value: unknown, status = 400, type = "application/json") =>
  readExplanation(JSON.stringify(value), status, type);

test.each([
  [{ error: "forbidden", message: "Your plan has no API" }, "Your plan has no API"],
  [{ error: "invalid_token", error_description: "The token expired" }, "The token expired"],
  [{ error: { code: 7, message: "Unknown workspace" } }, "Unknown workspace"],
  [{ errors: [{ detail: "Missing X-Key" }] }, "Missing X-Key"],
  [{ message: "first\nsecond" }, "first"],
  [{ message: "x".repeat(1_000) }, "x".repeat(300)],
  ["Missing X-Key", "Missing X-Key"],
])("JSON %j is explained by %j", (value, expected) => {
  expect(json(value)).toBe(expected);
});

test("problem details and JSON with a charset count as JSON", () => {
  expect(json({ title: "No quota left" }, 403, "application/problem+json")).toBe("No quota left");
  expect(json({ message: "No quota left" }, 403, "application/json; charset=utf-8")).toBe("No quota left");
});

test("a plain text explains itself by its first line", () => {
  const body = "\nbad request: Authorization header is badly formatted\nat x";
  expect(readExplanation(body, 400, "text/plain; charset=utf-8")).toBe(
    "bad request: Authorization header is badly formatted",
  );
  expect(readExplanation("no key", 401)).toBe("no key");
  const trace = "Traceback (most recent call last):\n  File \"x\"\nKeyError: 'TOKEN'\n";
  expect(readExplanation(trace, 500)).toBe("KeyError: 'TOKEN'");
});

test.each([
  ["404 page not found", 404],
  ["Not Found", 404],
  ["status 500", 500],
  ["HTTP Error 502: Bad Gateway", 502],
  ["Internal Server Error", 500],
  ["Unauthorized", 401],
  ["", 403],
  ["<html>Not here</html>", 404],
])("the text %j with the status %d explains nothing", (body, status) => {
  expect(readExplanation(body, status, "text/plain")).toBeUndefined();
});

test.each([
  ["<html>Blocked</html>", "text/html"],
  ["{", "application/json"],
  ["{}", "application/json"],
  ['{"error":{"error":{"error":{"error":"deep"}}}}', "application/json"],
  ["binary", "application/octet-stream"],
])("%j of the type %s explains nothing", (body, type) => {
  expect(readExplanation(body, 400, type)).toBeUndefined();
});
