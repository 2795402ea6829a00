import type { JsonValue } from "../../model/index.ts";
import type { Patterns } from "./patterns.ts";

/** The state that all parts of a check share. */
export interface CheckContext {
  readonly patterns: Patterns;
  readonly budget: { steps: number };
  /** Checks a nested value. */
  check(value: JsonValue, schema: JsonValue | undefined, path: string): void;
  fits(value: JsonValue, schema: JsonValue | undefined): boolean;
  complain(path: string, what: string): void;
  /** Deducts the cost of the next piece of work. Throws if the budget is used up. */
  spend(steps: number): void;
  /** How messages describe what an unknown member is not, such as `an argument of this tool`. */
  readonly unknown: string;
  /** How messages refer to the whole value, such as `the arguments`. */
  readonly whole: string;
}
