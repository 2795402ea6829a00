import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../model/index.ts";
import type { Document, Path } from "./document.ts";
import { parseYaml } from "./parse-yaml.ts";
import { parsePlainYaml } from "./plain-yaml.ts";

/** Every way to a value, and where it stands. */
function placesIn({ value, at }: Document): Record<string, unknown> {
  const places: Record<string, unknown> = {};
  const visit = (inner: JsonValue | undefined, path: Path): void => {
    places[JSON.stringify(path)] = at(path);
    if (Array.isArray(inner))
      for (const [index, item] of inner.entries()) visit(item as JsonValue, [...path, index]);
    else if (typeof inner === "object" && inner !== null)
      for (const [key, member] of Object.entries(inner)) visit(member, [...path, key]);
  };
  visit(value, []);
  return places;
}

const CONFIG = `name: Local
version: 1.0.0
# a comment
mcpServers:
  - name: One
    command: npx
    args:
      - "-y"
      - it's
      - 'it''s'
    timeout: 15000 # ms
    env: { A: "1", B: 2, "C d": [x, -1.5e3] }
  - url: https://a.example/mcp?x=1#y
    headers:
      Authorization: Bearer \${{ secrets.TOKEN }}
    empty:
  - uses: a/b
list:
- a
- [1, true, ~, "two, three"]
- - inner
`;

/** As people write, and as fuzz writes. */
const PIECES = [
  "a: b",
  "- a",
  "key:",
  "  ",
  "    ",
  "\n",
  ": ",
  " #c",
  '"q"',
  "'s'",
  "[1, 2]",
  "{ a: 1 }",
  "- ",
  "x",
  "1.5",
  "true",
  "null",
  "~",
  "|",
  ">",
  "&a",
  "*a",
  "!t",
  "?",
  "-",
  ",",
  "]",
  "}",
  "{",
  "[",
  "0x1f",
  "0o7",
  ".inf",
  "\\n",
  "<<: x",
  "---",
  "@",
  "%",
  "`",
  "\r\n",
  "a:1",
  "http://x:1/",
  "é",
];

test("what configs are written in needs no other parser", () => {
  const plain = parsePlainYaml(CONFIG);
  const full = parseYaml(CONFIG);
  expect(plain?.value).toEqual(full.value);
  expect(placesIn(plain ?? full)).toEqual(placesIn(full));
  expect(plain).toBeDefined();
});

test.each(["HOME/.continue/config.yaml", "PROJECT/.continue/mcpServers/playwright.yaml"])("%s", (file) => {
  const text = readFileSync(join("test", "fixtures", "configs", file), "utf8");
  expect(parsePlainYaml(text)?.value).toEqual(parseYaml(text).value);
});

test.each([
  "a: |\n  text\n",
  "a: &x 1\nb: *x\n",
  "a: b\n  c\n",
  "a: 1\na: 2\n",
  "a: 'b\n  c'\n",
  "---\na: 1\n",
])("%j is left to the full parser", (text) => {
  expect(parsePlainYaml(text)).toBeUndefined();
});

test("whatever it reads, the full parser reads the same, in the same places", () => {
  const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((list) => list.join(""));
  const damaged = fc
    .tuple(fc.nat(CONFIG.length), fc.nat(6), fc.constantFrom("", ...PIECES))
    .map(([at, length, piece]) => CONFIG.slice(0, at) + piece + CONFIG.slice(at + length));
  fc.assert(
    fc.property(fc.oneof(soup, damaged), (text) => {
      const plain = parsePlainYaml(text);
      if (plain === undefined) return;
      const full = parseYaml(text);
      expect({ value: plain.value, problems: plain.problems }).toEqual({
        value: full.value,
        problems: full.problems,
      });
      expect(placesIn(plain)).toEqual(placesIn(full));
    }),
    { numRuns: Number(process.env["PLAIN_YAML_RUNS"] ?? 5_000) },
  );
});
