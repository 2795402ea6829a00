import { isHuge } from "../model/index.ts";

/** The weight of a value in addition to its text: about the cost of visiting it. */
const VALUE = 8;

/** Limits for the nesting and the size of a JSON value. */
export interface WeightLimits {
  readonly depth: number;
  readonly weight: number;
}

/** Larger schemas are not used: inspecting, comparing or hashing them could block the process or overflow the stack. */
export const SCHEMA_LIMITS: WeightLimits = { depth: 128, weight: 512 * 1024 };

/**
 * Returns the length of all keys and strings in a value plus a fixed weight per value. Returns `deep` or `heavy` as
 * soon as it exceeds a limit.
 */
export function jsonWeight(value: unknown, { depth, weight }: WeightLimits): number | "deep" | "heavy" {
  const budget = { left: weight };
  const exceeded = weigh(value, depth, budget);
  return exceeded ?? weight - budget.left;
}

function weigh(value: unknown, depth: number, budget: { left: number }): "deep" | "heavy" | undefined {
  budget.left -= VALUE;
  if (typeof value === "string") budget.left -= value.length;
  if (budget.left < 0) return "heavy";
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === 0) return "deep";
  if (Array.isArray(value)) {
    for (const item of value) {
      const exceeded = weigh(item, depth - 1, budget);
      if (exceeded !== undefined) return exceeded;
    }
    return undefined;
  }
  if (isHuge(value)) return "heavy";
  for (const key in value) {
    budget.left -= key.length;
    const exceeded = weigh((value as Record<string, unknown>)[key], depth - 1, budget);
    if (exceeded !== undefined) return exceeded;
  }
  return undefined;
}
