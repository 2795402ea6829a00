import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Removes the source text from maps, because it would be most of the package. Positions and names stay. */
export function dropSources(folder, isDropped) {
  for (const name of readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(".map"))) {
    const file = join(folder, name);
    const map = JSON.parse(readFileSync(file, "utf8"));
    const sourcesContent = map.sources.map((source, index) =>
      isDropped(source) ? null : map.sourcesContent[index],
    );
    writeFileSync(file, JSON.stringify({ ...map, sourcesContent }));
  }
}

/** Moves the columns of a map after letters were replaced by escapes. `shift(line, column)` returns the new column in the generated line. */
export function shiftColumns(mappings, shift) {
  return mappings
    .split(";")
    .map((line, number) => {
      let [before, after] = [0, 0];
      return line
        .split(",")
        .map((segment) => {
          if (segment === "") return "";
          const [delta, length] = decode(segment);
          before += delta;
          const moved = shift(number, before);
          const text = encode(moved - after) + segment.slice(length);
          after = moved;
          return text;
        })
        .join(",");
    })
    .join(";");
}

/** Reads the first number of a segment. Returns it and its length in letters. */
function decode(segment) {
  let [value, length, digit] = [0, 0, 0];
  do {
    digit = DIGITS.indexOf(segment[length]);
    value += (digit & 31) * 32 ** length;
    length += 1;
  } while (digit >= 32);
  const size = Math.floor(value / 2);
  return [value % 2 === 1 ? -size : size, length];
}

function encode(number) {
  let rest = number < 0 ? -number * 2 + 1 : number * 2;
  let text = "";
  do {
    const digit = rest % 32;
    rest = Math.floor(rest / 32);
    text += DIGITS[rest > 0 ? digit + 32 : digit];
  } while (rest > 0);
  return text;
}
