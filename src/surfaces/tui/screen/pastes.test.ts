import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPastes } from "./pastes.ts";

describe("long pastes", () => {
  test("are shown as a label and sent in full", () => {
    const pastes = createPastes();
    const text = Array.from({ length: 100 }, (_, index) => `line ${index}`).join("\n");
    const stand = pastes.fold(text);
    const wide = pastes.fold("x".repeat(5_000));
    expect([...`${stand}${wide}`]).toHaveLength(2);
    expect([pastes.label(stand), pastes.label(wide)]).toEqual([
      "[pasted 100 lines]",
      "[pasted 5000 characters]",
    ]);
    expect(pastes.unfold(`see ${stand} and ${wide}.`)).toBe(`see ${text} and ${"x".repeat(5_000)}.`);
  });

  test("are inserted unchanged if they are short", () => {
    const pastes = createPastes();
    expect(pastes.fold("one\ntwo")).toBe("one\ntwo");
    expect(pastes.label("o")).toBeUndefined();
  });

  test("are complete in the final line for any input", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.nat(2_000)), { maxLength: 6 }), (given) => {
        const pastes = createPastes();
        const texts = given.map(([text, times]) => text.repeat(times).slice(0, 20_000));
        expect(pastes.unfold(texts.map(pastes.fold).join("|"))).toBe(texts.join("|"));
      }),
    );
  });

  test("cannot contain a placeholder for another paste", () => {
    const pastes = createPastes();
    const stand = pastes.fold("secret\n".repeat(50));
    expect(pastes.unfold(pastes.fold(`mine ${stand}`))).toBe("mine ");
  });
});
