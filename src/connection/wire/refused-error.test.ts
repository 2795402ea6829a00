import { expect, test } from "vitest";
import { lightError, refusedError } from "./refused-error.ts";

test("an ordinary error is kept as it is", () => {
  const error = { code: -32042, message: "Sign in first", data: { elicitations: [{ url: "https://a.b" }] } };
  expect(lightError(error)).toEqual(error);
  expect(refusedError(error)).toMatchObject({
    message: error.message,
    failure: { kind: "refused", code: error.code, data: error.data },
  });
});

test("of a large error little is kept, since it may wait for the request that it belongs to", () => {
  const large = Array.from({ length: 100_000 }, () => 0);
  const light = lightError({ code: 1, message: "m".repeat(1_000_000), data: large, more: large });
  expect(light).toEqual({ code: 1, message: "m".repeat(8_000) });
  expect(lightError({ code: large, message: large })).toEqual({});
});
