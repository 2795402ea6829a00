/* oxlint-disable no-control-regex -- control characters are what this is about */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanText } from "./clean-text.ts";

const ESC = "\u001b";

describe("cleaning", () => {
  test.each([
    [`${ESC}[1mbold${ESC}[22m ${ESC}[31;4mred${ESC}[0m ${ESC}[97;107mx${ESC}[m`, undefined],
    [`a${ESC}[2Jb${ESC}[Hc${ESC}[10;10Hd`, "abcd"],
    [`${ESC}]0;title\u0007a${ESC}]8;;http://x${ESC}\\link${ESC}]8;;${ESC}\\`, "alink"],
    [`${ESC}]52;c;c2VjcmV0${ESC}\\x`, "x"],
    [`${ESC}P1;2q#0${ESC}\\x${ESC}_G1${ESC}\\y`, "xy"],
    [`${ESC}[38;5;200mx${ESC}[48;2;1;2;3my`, "xy"],
    [`${ESC}[8mhidden${ESC}[5mblinking`, "hiddenblinking"],
    [`${ESC}[?25lx${ESC}cy${ESC}(0z`, "xyz"],
    ["a\rb\bc\u0000d\u009b31me\u007f", "abcd31me"],
    ["one\r\ntwo\tthree", "one\ntwo    three"],
    [ESC, ""],
    ["日本 👍", undefined],
  ])("%j", (text, wanted) => {
    expect(cleanText(text)).toBe(wanted ?? text);
  });

  test("keeps only the sixteen colours for any input", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ESC,
        "[",
        "]",
        "m",
        "31",
        ";",
        "38;5;1",
        "\u0007",
        "\\",
        "P",
        "\u009b",
        "\n",
        "x",
        "\r",
        "?25h",
      ),
      fc.string({ unit: "binary", maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const rest = cleanText(pieces.join("")).replaceAll(
          /\u001b\[(?:(?:\d|2\d|[349][0-7]|[34]9|10[0-7])?(?:;|(?=m)))*m/g,
          "",
        );
        expect(rest).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
      }),
      { numRuns: 1_000 },
    );
  });
});
