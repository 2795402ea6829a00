import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createLocator } from "./position.ts";

test("an offset is converted to a line and a column, both starting at 1", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r") }), (text) => {
      const locate = createLocator(text);
      for (let offset = 0; offset <= text.length; offset += 1) {
        const lines = text.slice(0, offset).split("\n");
        expect(locate(offset)).toEqual({ line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 });
      }
    }),
  );
});
