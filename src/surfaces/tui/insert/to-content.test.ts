import { expect, test, vi } from "vitest";
import { toText } from "./to-content.ts";

test("only the part of a long text that the model gets is cleaned", () => {
  const text = "\u202e".repeat(1_000_000);
  const replace = vi.spyOn(String.prototype, "replace"); // cleans texts
  const said = toText({ type: "text", text }, "notes");
  const longest = replace.mock.contexts.map((context) => String(context).length);
  replace.mockRestore();
  expect(said).toMatch(/^\\u\{202e\}.*…\n\[truncated: 1000000 characters in total\]$/s);
  expect(Math.max(...longest)).toBeLessThan(1_000_000);
});
