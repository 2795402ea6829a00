import { expect, test } from "vitest";
import { type NamedTool, ToolNames } from "../../src/bridge/tool-name.ts";
import { NAMING_STYLES } from "../../src/model/index.ts";
import { LONGEST_MS, report, tenthOf } from "./counts.ts";

/** Characters that most rules map to the same one, or drop. */
const ALPHABET = [..."aAbB1_-. é語\u0000\u{1f600}"];

/** A sequence of numbers that is the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state >>> 8;
  }
}

function* pairs(count: number): Generator<NamedTool> {
  const source = numbers(5);
  const next = (below: number): number => source.next().value % below;
  const word = (): string => Array.from({ length: next(9) }, () => ALPHABET[next(ALPHABET.length)]).join("");
  for (let index = 0; index < count; index += 1) {
    const long = index % 50 === 0 ? "x".repeat(next(120)) : "";
    yield { server: word(), tool: word() + long + (index % 7 === 0 ? String(index) : "") };
  }
}

test.each(NAMING_STYLES)(
  "no two tools share a name, and each name identifies its tool: %s",
  (style) => {
    const count = tenthOf(style === "seeds" ? 1_000_000 : 100_000);
    const names = new ToolNames(style);
    const tools = new Map([...pairs(count)].map((tool) => [JSON.stringify([tool.server, tool.tool]), tool]));
    names.assign([...tools.values()]);
    const given = new Set<string>();
    let good = count - tools.size; // a repeated pair is one tool
    for (const tool of tools.values()) {
      const name = names.nameOf(tool);
      const known = given.has(name.toLowerCase());
      given.add(name.toLowerCase());
      if (!known && /^[a-zA-Z0-9_-]{1,64}$/.test(name) && names.toolOf(name) === tool) good += 1;
    }
    if (style === "seeds") {
      report("names for pairs of server and tool: unique, and mapped back to their tool", good, count);
    }
    expect(good).toBe(count);
  },
  LONGEST_MS,
);
