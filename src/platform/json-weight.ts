import { isHuge } from "../model/index.ts";

/** What each value weighs beside its text: about what it costs to visit it. */
const VALUE = 8;

export interface WeightLimits {
  readonly depth: number;
  readonly weight: number;
}

/** A schema beyond these is not used: to inspect, compare and hash it would block the process, or end the stack. */
export const SCHEMA_LIMITS: WeightLimits = { depth: 128, weight: 512 * 1024 };

/** The length of all keys and texts in a value and a little for each part; `deep` or `heavy` once it is beyond a limit. Visits no more than it has to. */
export function jsonWeight(value: unknown, { depth, weight }: WeightLimits): number | "deep" | "heavy" {
  const budget = { left: weight };
  const wrong = weigh(value, depth, budget);
  return wrong ?? weight - budget.left;
}

function weigh(value: unknown, depth: number, budget: { left: number }): "deep" | "heavy" | undefined {
  budget.left -= VALUE;
  if (typeof value === "string") budget.left -= value.length;
  if (budget.left < 0) return "heavy";
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === 0) return "deep";
  if (Array.isArray(value)) {
    for (const item of value) {
      const wrong = weigh(item, depth - 1, budget);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }
  if (isHuge(value)) return "heavy";
  for (const key in value) {
    budget.left -= key.length;
    const wrong = weigh((value as Record<string, unknown>)[key], depth - 1, budget);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
