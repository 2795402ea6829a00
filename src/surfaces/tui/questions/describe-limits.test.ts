import { expect, test } from "vitest";
import type { FormField } from "../../../index.ts";
import { describeLimits } from "./describe-limits.ts";

const field = (facts: Partial<FormField>): FormField => ({
  name: "x",
  kind: "text",
  required: true,
  ...facts,
});

test.each([
  [{}, undefined],
  [{ kind: "integer", least: 0, most: 150, default: 30 }, "A whole number · 0 to 150 · default: 30"],
  [{ kind: "number", least: 0.5 }, "A number · at least 0.5"],
  [{ format: "email", most: 50 }, "An email address · at most 50 characters"],
  [{ least: 1 }, "At least 1 character"],
  [{ format: "zip\u001b[2J" }, "Zip\\x1b[2J"],
  [{ kind: "boolean", default: false }, "Default: No"],
  [{ kind: "choice", default: "g", options: [{ value: "g", title: "Green" }] }, "Default: Green"],
  [{ kind: "choices", least: 1, most: 2, options: [] }, "Choose 1 to 2"],
  [{ default: "a\nb" }, "Default: a b"],
] as const)("%j", (facts, text) => {
  expect(describeLimits(field(facts))).toBe(text);
});
