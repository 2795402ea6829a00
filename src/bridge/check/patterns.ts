/** Tests texts with a schema's regular expressions. Returns `undefined` if a test is not possible within the budget. */
export interface Patterns {
  test(pattern: string, text: string, budget: { steps: number }): boolean | undefined;
}

/** Tests nothing. */
export const NO_PATTERNS: Patterns = { test: () => undefined };

const LONGEST_PATTERN = 1_000;
/** The largest size of a compiled pattern: characters times repetitions. */
const LARGEST_PATTERN = 20_000;
const MOST_REMEMBERED = 500;
/** The cost of compiling, in steps per pattern, character and repetition. */
const COMPILE_STEPS = { pattern: 100, character: 30, repetition: 0.5 } as const;

interface Compiled {
  readonly size: number;
  test(text: string): boolean;
}

let loading: Promise<Patterns> | undefined;

/**
 * Loads an engine that runs in linear time, because neither the pattern nor the text can be trusted. It is loaded for the first
 * schema that needs it. It does not support lookaround and backreferences; the server checks those.
 */
export function loadPatterns(): Promise<Patterns> {
  loading ??= import("re2js").then(({ RE2JS }) => {
    return createPatterns((pattern) => {
      const compiled = RE2JS.compile(pattern);
      return { size: compiled.programSize(), test: (text) => compiled.matcher(text).find() };
    });
  });
  return loading;
}

function createPatterns(compile: (pattern: string) => Compiled): Patterns {
  const known = new Map<string, Compiled | undefined>();
  const find = (pattern: string, budget: { steps: number }): Compiled | undefined => {
    if (known.has(pattern)) return known.get(pattern);
    const size = pattern.length > LONGEST_PATTERN ? Number.POSITIVE_INFINITY : sizeOf(pattern);
    if (size > LARGEST_PATTERN) return undefined;
    const { pattern: one, character, repetition } = COMPILE_STEPS;
    const cost = one + character * pattern.length + repetition * size;
    if (cost > budget.steps) return undefined;
    budget.steps -= cost;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const compiled = attempt(() => compile(toRe2Syntax(pattern)));
    known.set(pattern, compiled);
    return compiled;
  };
  return {
    test(pattern, text, budget) {
      const compiled = find(pattern, budget);
      if (compiled === undefined) return undefined;
      const cost = text.length * compiled.size * 2;
      if (cost > budget.steps) return undefined;
      budget.steps -= cost;
      return compiled.test(text);
    },
  };
}

function sizeOf(pattern: string): number {
  let repetitions = 1;
  for (const [, least = "0", most = ""] of pattern.matchAll(/\{(\d+),?(\d*)\}/g)) {
    repetitions += Math.max(Number(least), Number(most));
  }
  return pattern.length * repetitions;
}

/** The engine writes `\u0041` as `\x{0041}`. */
function toRe2Syntax(pattern: string): string {
  return pattern.replace(
    /\\u(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{4}))/g,
    (_, long, short) => `\\x{${long ?? short}}`,
  );
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined; // invalid, or not supported by the engine
  }
}
