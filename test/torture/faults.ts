import type { Calls, Fault } from "./fate.ts";

/** The calls to fail, one after the other. */
export interface Faults {
  next(): Fault | undefined;
  /** There is no call with this number. */
  end(fault: Fault): void;
}

/** This many faults, spread over the scenario: two thirds fail once, one third permanently. */
export function someFaults({ all, lasting }: Calls, count: number): Faults {
  const faults = Array.from({ length: count }, (_, index): Fault => {
    const isLasting = index % 3 === 2;
    return { at: Math.ceil(((index + 0.5) / count) * (isLasting ? lasting : all)), lasting: isLasting };
  });
  return { next: () => faults.shift(), end: () => {} };
}

/** Every call once, then every call permanently, until there are no more. Their number depends on what fails. */
export function everyFault(): Faults {
  let next: Fault | undefined = { at: 1, lasting: false };
  return {
    next() {
      const fault = next;
      next = fault && { ...fault, at: fault.at + 1 };
      return fault;
    },
    end({ lasting }) {
      if (next?.lasting === lasting) next = lasting ? undefined : { at: 1, lasting: true };
    },
  };
}
