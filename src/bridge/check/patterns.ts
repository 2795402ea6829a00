/** Answers whether a text fits a schema's regular expression; nothing when that cannot be told within bounds. */
export interface Patterns {
  test(pattern: string, text: string, budget: { steps: number }): boolean | undefined;
}

/** Without an engine nothing can be told. */
export const NO_PATTERNS: Patterns = { test: () => undefined };

const LONGEST_PATTERN = 1_000;
/** Characters times repetitions: what a pattern can grow to when it is compiled. */
const LARGEST_PATTERN = 20_000;
const MOST_REMEMBERED = 500;
/** What compiling costs: so much for each pattern, each character and each repetition of one. */
const COMPILE_STEPS = { pattern: 100, character: 30, repetition: 0.5 } as const;

interface Compiled {
  readonly size: number;
  test(text: string): boolean;
}

let loading: Promise<Patterns> | undefined;

/**
 * An engine whose time grows with the length of the text and never faster: a server chooses the pattern, a stranger the text.
 * It is loaded when the first schema needs it. Look-around and back references are beyond it; they are for the server to check.
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
    const compiled = attempt(() => compile(inTheirSpelling(pattern)));
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

/** `\u0041` is `\x{0041}` to the engine. */
function inTheirSpelling(pattern: string): string {
  return pattern.replace(
    /\\u(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{4}))/g,
    (_, long, short) => `\\x{${long ?? short}}`,
  );
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined; // no expression, or one that the engine does not take
  }
}
