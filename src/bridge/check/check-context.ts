import type { JsonValue } from "../../model/index.ts";
import type { Patterns } from "./patterns.ts";

/** What the parts of a check share. */
export interface CheckContext {
  readonly patterns: Patterns;
  readonly budget: { steps: number };
  /** Checks what is inside. */
  check(value: JsonValue, schema: JsonValue | undefined, path: string): void;
  fits(value: JsonValue, schema: JsonValue | undefined): boolean;
  complain(path: string, what: string): void;
  /** Takes as many steps as the work about to be done. */
  spend(steps: number): void;
  /** What an unknown member is called: an argument of a tool, a part of its answer. */
  readonly unknown: string;
  /** What the value as a whole is called. */
  readonly whole: string;
}
