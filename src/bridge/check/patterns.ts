/** Tests texts with a schema's regular expressions. Returns `undefined` if a test is not possible within the budget. */
export interface Patterns {
  test(pattern: string, text: string, budget: { steps: number }): boolean | undefined;
}

/** Tests nothing. */
export const NO_PATTERNS: Patterns = { test: () => undefined };

const LONGEST_PATTERN = 1_000;
/** The largest number of instructions of a compiled pattern. */
const LARGEST_PATTERN = 5_000;
const MOST_REMEMBERED = 500;
/** The cost of compiling, in steps per pattern, character, instruction and class of Unicode. */
const COMPILE_STEPS = { pattern: 100, character: 30, instruction: 10, unicodeClass: 500 } as const;
/**
 * Flags and quotes, which the engine has and JSON Schema does not. A range that ignores case takes milliseconds to compile, and quotes
 * would hide what is repeated.
 */
const EXTENSIONS = /\(\?(?!:)[a-zA-Z]*-?[a-zA-Z]*[:)]|\\Q/;

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
    if (pattern.length > LONGEST_PATTERN || EXTENSIONS.test(pattern)) return undefined;
    const size = sizeOf(pattern);
    if (size > LARGEST_PATTERN) return undefined;
    const classes = pattern.match(/\\[pP]/g)?.length ?? 0;
    const { pattern: one, character, instruction, unicodeClass } = COMPILE_STEPS;
    const cost = one + character * pattern.length + instruction * size + unicodeClass * classes;
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

/** One part of a pattern: an escape, a class in brackets, a number of repetitions, or one character. */
const PART =
  /\\(?:[xu]\{[0-9a-fA-F]+\}|[^])|\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|[^]/g;

/** Estimates the number of instructions of a compiled pattern. Repetitions of a group repeat everything in it. */
function sizeOf(pattern: string): number {
  const groups: number[] = [];
  let size = 0;
  let last = 0; // the part that a repetition repeats
  for (const [part, least, most = ""] of pattern.matchAll(PART)) {
    if (least !== undefined) {
      size += last * (Math.max(Number(least), Number(most), 1) - 1);
      last = 0;
    } else if (part === "(") {
      groups.push(size);
      size = 0;
    } else if (part === ")") {
      last = size + 2;
      size = (groups.pop() ?? 0) + last;
    } else {
      size += 1;
      last = 1;
    }
  }
  return groups.reduce((sum, group) => sum + group, size);
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
