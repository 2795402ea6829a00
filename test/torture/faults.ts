import type { Calls, Fault } from "./fate.ts";

/** What is to fail, one after the other. */
export interface Faults {
  next(): Fault | undefined;
  /** There is no call of that number. */
  end(fault: Fault): void;
}

/** So many of them, from all over the scenario: two of three alone, the third with all of its kind that follow. */
export function someFaults({ all, lasting }: Calls, count: number): Faults {
  const faults = Array.from({ length: count }, (_, index): Fault => {
    const isLasting = index % 3 === 2;
    return { at: Math.ceil(((index + 0.5) / count) * (isLasting ? lasting : all)), lasting: isLasting };
  });
  return { next: () => faults.shift(), end: () => {} };
}

/** Every call alone, then every one with all of its kind that follow. Until there are no more: how many there are changes with what fails. */
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
