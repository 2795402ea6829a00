import { expect, test } from "vitest";
import { WireError } from "./wire-error.ts";

test("a server's message is cut where it enters, so that masking it costs little", () => {
  expect(new WireError({ kind: "refused", code: 1 }, "x".repeat(1_000_000)).message).toBe("x".repeat(8_000));
});
